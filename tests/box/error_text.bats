# SPDX-License-Identifier: 0BSD
# What a message calls an errno: GNU's words, which are glibc's.

# bats file_tags=box,guest

load ../lib/helpers
NEEDS=CAT

setup() {
	common_setup
	needs_strace
}

# says ERRNO: what cat says where open(2) of its operand fails so.
says() {
	strace -qq -o /dev/null -P name -e trace=open,openat,openat2 \
		-e inject=open,openat,openat2:error="$1" cat name 2>&1 || true
}

@test "what files, devices, terminals, sockets and networks meet has glibc's words" {
	set -- EPERM ENOENT EIO ENXIO E2BIG EBADF EAGAIN ENOMEM EACCES EFAULT EEXIST \
		ENOTDIR EISDIR EINVAL ENFILE EMFILE ETXTBSY EFBIG ENOSPC ESPIPE EROFS \
		EMLINK EPIPE ERANGE ENAMETOOLONG ENOSYS ELOOP EOVERFLOW EOPNOTSUPP EDQUOT \
		ECANCELED ESRCH EXDEV ENODEV EBUSY ENOTTY EBADE ENODATA ETIME ENOLINK \
		EPROTO EBADMSG EILSEQ ESHUTDOWN ETIMEDOUT ESTALE EUCLEAN EREMOTEIO EBADFD \
		ENOMEDIUM EMEDIUMTYPE ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED \
		EDESTADDRREQ EMSGSIZE ENETDOWN ENETUNREACH ECONNABORTED ECONNRESET \
		ENOPROTOOPT ENOBUFS ENOTCONN ECONNREFUSED EHOSTDOWN EHOSTUNREACH
	for name; do
		says "$name"
	done >got
	python -c '
import errno, os, sys
for name in sys.argv[1:]:
    print("cat: name: " + os.strerror(getattr(errno, name)))' "$@" | diff - got
}

@test "what has no words has its number" {
	for number in 58 530 4095; do
		[ "$(says $number)" = "cat: name: Unknown error $number" ]
	done
}
