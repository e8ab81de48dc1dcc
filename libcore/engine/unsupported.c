/* SPDX-License-Identifier: 0BSD */
/* Errnos that say "not in this way". */
#include "engine.h"

bool zc_unsupported(int err)
{
	switch (err) {
	case EINVAL:
	case ENOSYS:
	case EPERM:
	case EOPNOTSUPP:
	case EBADF:
	case EXDEV:
	case ESPIPE:
	case ETXTBSY:
	case EACCES:
	case ENOMEM:
	case EMFILE:
	case ENFILE:
	case EFBIG:
	case EISDIR:
	case ENODEV:
	case EBUSY:
	case EFAULT:
	case ENOTSOCK:
	case EOVERFLOW:
	case EAGAIN:
		return true;
	}
	return false;
}

void zc_record(struct zc_endpoint *end)
{
	if (!zc_unsupported(errno) ||
	    (errno == EAGAIN && end->kind == ZC_SOCKET))
		end->error = errno;
}
