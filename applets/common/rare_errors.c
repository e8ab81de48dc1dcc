/* SPDX-License-Identifier: 0BSD */
/* What rare errnos mean. */
#include <stddef.h>

#include "error_text.h"

#define RARE(X)                                                        \
	X(ESRCH, "No such process")                                    \
	X(EINTR, "Interrupted system call")                            \
	X(E2BIG, "Argument list too long")                             \
	X(EAGAIN, "Resource temporarily unavailable")                  \
	X(EFAULT, "Bad address")                                       \
	X(EBUSY, "Device or resource busy")                            \
	X(EXDEV, "Invalid cross-device link")                          \
	X(ENODEV, "No such device")                                    \
	X(ENFILE, "Too many open files in system")                     \
	X(ENOTTY, "Inappropriate ioctl for device")                    \
	X(ESPIPE, "Illegal seek")                                      \
	X(EMLINK, "Too many links")                                    \
	X(ERANGE, "Numerical result out of range")                     \
	X(ENOSYS, "Function not implemented")                          \
	X(ENOTEMPTY, "Directory not empty")                            \
	X(ENODATA, "No data available")                                \
	X(ENOLINK, "Link has been severed")                            \
	X(EPROTO, "Protocol error")                                    \
	X(EBADMSG, "Bad message")                                      \
	X(EOVERFLOW, "Value too large for defined data type")          \
	X(EILSEQ, "Invalid or incomplete multibyte or wide character") \
	X(EDESTADDRREQ, "Destination address required")                \
	X(EMSGSIZE, "Message too long")                                \
	X(EOPNOTSUPP, "Operation not supported")                       \
	X(ENETDOWN, "Network is down")                                 \
	X(ENETUNREACH, "Network is unreachable")                       \
	X(ECONNABORTED, "Software caused connection abort")            \
	X(ECONNRESET, "Connection reset by peer")                      \
	X(ENOBUFS, "No buffer space available")                        \
	X(ENOTCONN, "Transport endpoint is not connected")             \
	X(ESHUTDOWN, "Cannot send after transport endpoint shutdown")  \
	X(ETIMEDOUT, "Connection timed out")                           \
	X(ECONNREFUSED, "Connection refused")                          \
	X(EHOSTDOWN, "Host is down")                                   \
	X(EHOSTUNREACH, "No route to host")                            \
	X(ESTALE, "Stale file handle")                                 \
	X(EUCLEAN, "Structure needs cleaning")                         \
	X(EREMOTEIO, "Remote I/O error")                               \
	X(ENOMEDIUM, "No medium found")                                \
	X(ECANCELED, "Operation canceled")                             \
	X(ENOKEY, "Required key not available")

const struct error_list rare_errors = ERROR_LIST(RARE, NULL);
