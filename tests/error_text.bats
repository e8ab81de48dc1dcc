#!/usr/bin/env bats
# SPDX-License-Identifier: 0BSD
# What a message calls an errno: GNU's words, which are glibc's.

load lib/helpers

setup() {
	common_setup
	needs CAT
	needs_strace
}

# says ERRNO: what cat says where open(2) of its operand fails so.
says() {
	strace -qq -o /dev/null -P name -e trace=open,openat,openat2 \
		-e inject=open,openat,openat2:error="$1" cat name 2>&1 || true
}

# glibc_says: its words for each of the errnos on standard input.
glibc_says() {
	python -c '
import errno, os, sys
for name in sys.stdin.read().split():
    print("cat: name: " + os.strerror(getattr(errno, name)))'
}

@test "what opening, reading and writing meet has glibc's words" {
	for name in EPERM ENOENT EIO ENXIO EBADF ENOMEM EACCES ENOTDIR EISDIR \
		    EINVAL EMFILE ETXTBSY EFBIG ENOSPC EROFS EPIPE \
		    ENAMETOOLONG ELOOP EDQUOT; do
		says $name >>got
		echo $name >>names
	done
	glibc_says <names | diff - got
}

@test "what few will ever meet has glibc's words" {
	needs RARE_ERRORS
	for name in ESRCH EINTR E2BIG EAGAIN EFAULT EBUSY EEXIST EXDEV ENODEV ENFILE \
		    ENOTTY ESPIPE EMLINK ERANGE ENOSYS ENOTEMPTY ENODATA \
		    ENOLINK EPROTO EBADMSG EOVERFLOW EILSEQ EDESTADDRREQ \
		    EMSGSIZE EOPNOTSUPP ENETDOWN ENETUNREACH ECONNABORTED \
		    ECONNRESET ENOBUFS ENOTCONN ESHUTDOWN ETIMEDOUT \
		    ECONNREFUSED EHOSTDOWN EHOSTUNREACH ESTALE EUCLEAN \
		    EREMOTEIO ENOMEDIUM ECANCELED ENOKEY; do
		says $name >>got
		echo $name >>names
	done
	glibc_says <names | diff - got
}

@test "what has no words has its number" {
	for number in 58 530 4095; do
		[ "$(says $number)" = "cat: name: Unknown error $number" ]
	done
	has RARE_ERRORS ||
		[ "$(says EAGAIN)" = "cat: name: Unknown error 11" ]
}
