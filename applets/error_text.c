/* SPDX-License-Identifier: 0BSD */
/* What an errno means, in GNU's words: musl's strerror(3) has others for some,
 * and costs 2 KB. These are what opening, reading, writing and closing meet. */
#include "applet.h"
#include "error_text.h"

#pragma weak rare_errors

#define COMMON(X)							\
	X(EPERM, "Operation not permitted")				\
	X(ENOENT, "No such file or directory")				\
	X(EIO, "Input/output error")					\
	X(ENXIO, "No such device or address")				\
	X(EBADF, "Bad file descriptor")					\
	X(ENOMEM, "Cannot allocate memory")				\
	X(EACCES, "Permission denied")					\
	X(ENOTDIR, "Not a directory")					\
	X(EISDIR, "Is a directory")					\
	X(EINVAL, "Invalid argument")					\
	X(EMFILE, "Too many open files")				\
	X(ETXTBSY, "Text file busy")					\
	X(EFBIG, "File too large")					\
	X(ENOSPC, "No space left on device")				\
	X(EROFS, "Read-only file system")				\
	X(EPIPE, "Broken pipe")						\
	X(ENAMETOOLONG, "File name too long")				\
	X(ELOOP, "Too many levels of symbolic links")			\
	X(EDQUOT, "Disk quota exceeded")

static const struct error_list common_errors = ERROR_LIST(COMMON);

/* Returns the text, or NULL. */
static const char *find(const struct error_list *list, int err)
{
	const char *text = list->texts;

	for (const unsigned short *n = list->numbers; *n; n++) {
		if (*n == err)
			return text;
		while (*text++)
			;
	}
	return NULL;
}

const char *error_text(int err)
{
	static char unknown[] = "Unknown error ....";
	const char *text = find(&common_errors, err);
	char *p = unknown + sizeof("Unknown error ") - 1;

	if (!text && &rare_errors)
		text = find(&rare_errors, err);
	if (text)
		return text;
	for (int unit = 1000; unit; unit /= 10)
		if (err >= unit)
			*p++ = '0' + err / unit % 10;
	*p = 0;
	return unknown;
}
