/* SPDX-License-Identifier: 0BSD */
/* What an errno means, in GNU's words: musl's strerror(3) has others for some,
 * and costs 2 KB. These are what opening, reading, writing and closing meet. */
#include "applet.h"

#define ERRORS(X)							\
	X(EPERM, "Operation not permitted")				\
	X(ENOENT, "No such file or directory")				\
	X(EINTR, "Interrupted system call")				\
	X(EIO, "Input/output error")					\
	X(ENXIO, "No such device or address")				\
	X(E2BIG, "Argument list too long")				\
	X(EBADF, "Bad file descriptor")					\
	X(EAGAIN, "Resource temporarily unavailable")			\
	X(ENOMEM, "Cannot allocate memory")				\
	X(EACCES, "Permission denied")					\
	X(EFAULT, "Bad address")					\
	X(EBUSY, "Device or resource busy")				\
	X(EEXIST, "File exists")					\
	X(EXDEV, "Invalid cross-device link")				\
	X(ENODEV, "No such device")					\
	X(ENOTDIR, "Not a directory")					\
	X(EISDIR, "Is a directory")					\
	X(EINVAL, "Invalid argument")					\
	X(ENFILE, "Too many open files in system")			\
	X(EMFILE, "Too many open files")				\
	X(ENOTTY, "Inappropriate ioctl for device")			\
	X(ETXTBSY, "Text file busy")					\
	X(EFBIG, "File too large")					\
	X(ENOSPC, "No space left on device")				\
	X(ESPIPE, "Illegal seek")					\
	X(EROFS, "Read-only file system")				\
	X(EMLINK, "Too many links")					\
	X(EPIPE, "Broken pipe")						\
	X(ENAMETOOLONG, "File name too long")				\
	X(ENOSYS, "Function not implemented")				\
	X(ELOOP, "Too many levels of symbolic links")			\
	X(EOVERFLOW, "Value too large for defined data type")		\
	X(EOPNOTSUPP, "Operation not supported")			\
	X(ENETDOWN, "Network is down")					\
	X(ECONNRESET, "Connection reset by peer")			\
	X(ENOTCONN, "Transport endpoint is not connected")		\
	X(ETIMEDOUT, "Connection timed out")				\
	X(EHOSTDOWN, "Host is down")					\
	X(ESTALE, "Stale file handle")					\
	X(EUCLEAN, "Structure needs cleaning")				\
	X(EREMOTEIO, "Remote I/O error")				\
	X(EDQUOT, "Disk quota exceeded")				\
	X(ENOMEDIUM, "No medium found")					\
	X(ENOKEY, "Required key not available")

#define NUMBER(number, text) number,
#define TEXT(number, text) text "\0"

const char *error_text(int err)
{
	static const unsigned short numbers[] = { ERRORS(NUMBER) };
	static const char texts[] = ERRORS(TEXT);
	static char unknown[] = "Unknown error ....";
	const char *text = texts;
	char *p = unknown + sizeof(unknown) - 1;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (numbers[i] == err)
			return text;
		while (*text++)
			;
	}
	for (int digits = 4; digits; digits--, err /= 10)
		*--p = '0' + err % 10;
	return unknown;
}
