/* SPDX-License-Identifier: 0BSD */
/* What an errno means, in GNU's words: musl's strerror(3) has others for some,
 * and costs 2 KB. These are the errors of open(2), read(2), write(2) and
 * close(2). */
#include <string.h>

#include "applet.h"
#include "error_text.h"
#include "have/RARE_ERRORS.h"

#define COMMON(X)                                     \
	X(EPERM, "Operation not permitted")           \
	X(ENOENT, "No such file or directory")        \
	X(EIO, "Input/output error")                  \
	X(ENXIO, "No such device or address")         \
	X(EBADF, "Bad file descriptor")               \
	X(ENOMEM, "Cannot allocate memory")           \
	X(EACCES, "Permission denied")                \
	X(EEXIST, "File exists")                      \
	X(ENOTDIR, "Not a directory")                 \
	X(EISDIR, "Is a directory")                   \
	X(EINVAL, "Invalid argument")                 \
	X(EMFILE, "Too many open files")              \
	X(ETXTBSY, "Text file busy")                  \
	X(EFBIG, "File too large")                    \
	X(ENOSPC, "No space left on device")          \
	X(EROFS, "Read-only file system")             \
	X(EPIPE, "Broken pipe")                       \
	X(ENAMETOOLONG, "File name too long")         \
	X(ELOOP, "Too many levels of symbolic links") \
	X(EDQUOT, "Disk quota exceeded")

#define UNKNOWN "Unknown error "

static const struct error_list common_errors =
	ERROR_LIST(COMMON, HAVE_RARE_ERRORS ? &rare_errors : NULL);

const char *error_text(int err)
{
	static char text[sizeof(UNKNOWN) + DIGITS];

	for (const struct error_list *l = &common_errors; l; l = l->next) {
		const char *known = l->texts;

		for (const error_number *n = l->numbers; *n; n++) {
			if (*n == err)
				return known;
			known += strlen(known) + 1;
		}
	}
	memcpy(text, UNKNOWN, sizeof(UNKNOWN));
	*decimal(text + strlen(UNKNOWN), err) = 0;
	return text;
}
