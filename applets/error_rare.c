/* SPDX-License-Identifier: 0BSD */
/* What the errnos mean that few will ever meet. */
#include <errno.h>

#include "error_text.h"

#define RARE(X)								\
	X(EINTR, "Interrupted system call")				\
	X(E2BIG, "Argument list too long")				\
	X(EAGAIN, "Resource temporarily unavailable")			\
	X(EFAULT, "Bad address")					\
	X(EBUSY, "Device or resource busy")				\
	X(EEXIST, "File exists")					\
	X(EXDEV, "Invalid cross-device link")				\
	X(ENODEV, "No such device")					\
	X(ENFILE, "Too many open files in system")			\
	X(ENOTTY, "Inappropriate ioctl for device")			\
	X(ESPIPE, "Illegal seek")					\
	X(EMLINK, "Too many links")					\
	X(ENOSYS, "Function not implemented")				\
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
	X(ENOMEDIUM, "No medium found")					\
	X(ENOKEY, "Required key not available")

const struct error_list rare_errors = ERROR_LIST(RARE);
