/* SPDX-License-Identifier: 0BSD */
/* Texts of errnos in GNU's words: musl's strerror(3) has others for some, and
 * costs 2 KB. They are the errors of open(2), read(2), write(2) and close(2),
 * and of the file systems, block devices, terminals, USB, tapes and sockets
 * behind them. */
#include <errno.h>
#include <string.h>

#include "applet.h"

#define ERRORS(X)                                                      \
	X(EPERM, "Operation not permitted")                            \
	X(ENOENT, "No such file or directory")                         \
	X(ESRCH, "No such process")                                    \
	X(EIO, "Input/output error")                                   \
	X(ENXIO, "No such device or address")                          \
	X(E2BIG, "Argument list too long")                             \
	X(EBADF, "Bad file descriptor")                                \
	X(EAGAIN, "Resource temporarily unavailable")                  \
	X(ENOMEM, "Cannot allocate memory")                            \
	X(EACCES, "Permission denied")                                 \
	X(EFAULT, "Bad address")                                       \
	X(EBUSY, "Device or resource busy")                            \
	X(EEXIST, "File exists")                                       \
	X(EXDEV, "Invalid cross-device link")                          \
	X(ENODEV, "No such device")                                    \
	X(ENOTDIR, "Not a directory")                                  \
	X(EISDIR, "Is a directory")                                    \
	X(EINVAL, "Invalid argument")                                  \
	X(ENFILE, "Too many open files in system")                     \
	X(EMFILE, "Too many open files")                               \
	X(ENOTTY, "Inappropriate ioctl for device")                    \
	X(ETXTBSY, "Text file busy")                                   \
	X(EFBIG, "File too large")                                     \
	X(ENOSPC, "No space left on device")                           \
	X(ESPIPE, "Illegal seek")                                      \
	X(EROFS, "Read-only file system")                              \
	X(EMLINK, "Too many links")                                    \
	X(EPIPE, "Broken pipe")                                        \
	X(ERANGE, "Numerical result out of range")                     \
	X(ENAMETOOLONG, "File name too long")                          \
	X(ENOSYS, "Function not implemented")                          \
	X(ENOTEMPTY, "Directory not empty")                            \
	X(ELOOP, "Too many levels of symbolic links")                  \
	X(EBADE, "Invalid exchange")                                   \
	X(ENODATA, "No data available")                                \
	X(ETIME, "Timer expired")                                      \
	X(ENOLINK, "Link has been severed")                            \
	X(EPROTO, "Protocol error")                                    \
	X(EBADMSG, "Bad message")                                      \
	X(EOVERFLOW, "Value too large for defined data type")          \
	X(EILSEQ, "Invalid or incomplete multibyte or wide character") \
	X(ENOPROTOOPT, "Protocol not available")                       \
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
	X(EBADFD, "File descriptor in bad state")                      \
	X(EDQUOT, "Disk quota exceeded")                               \
	X(ENOMEDIUM, "No medium found")                                \
	X(EMEDIUMTYPE, "Wrong medium type")                            \
	X(ECANCELED, "Operation canceled")                             \
	X(ENOKEY, "Required key not available")                        \
	X(EKEYEXPIRED, "Key has expired")                              \
	X(EKEYREVOKED, "Key has been revoked")                         \
	X(EKEYREJECTED, "Key was rejected by service")

/* As large as MIPS needs, where EDQUOT is 1133. */
#if EDQUOT > 255
typedef unsigned short error_number;
#else
typedef unsigned char error_number;
#endif

/* Errnos up to a 0, and as many strings, one behind the other. */
#define NUMBER(number, text) number,
#define STRING(number, text) text "\0"
static const error_number numbers[] = { ERRORS(NUMBER) 0 };
static const char texts[] = ERRORS(STRING);

#define UNKNOWN "Unknown error "

const char *error_text(int err)
{
	static char unknown[sizeof(UNKNOWN) + DIGITS];
	const char *text = texts;

	for (const error_number *n = numbers; *n; n++) {
		if (*n == err)
			return text;
		text += strlen(text) + 1;
	}
	memcpy(unknown, UNKNOWN, sizeof(UNKNOWN));
	*decimal(unknown + strlen(UNKNOWN), err) = 0;
	return unknown;
}
