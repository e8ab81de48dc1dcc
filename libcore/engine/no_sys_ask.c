/* SPDX-License-Identifier: 0BSD */
/* The stub of sys_ask.c, for sandboxes that kill for calls that only ask:
 * nothing is known. */
#include <sys/sysmacros.h>

#include "engine.h"

int zc_fcntl(int fd, int command, long arg)
{
	return -ENOSYS;
}

/* Without ioctl(2) a terminal is told by its number, as in the kernel's list of
 * devices (Documentation/admin-guide/devices.txt). */
bool zc_is_tty(int fd)
{
	struct zc_stat st = { .rdev = 0 };

	zc_stat(fd, NULL, &st);
	switch (major(st.rdev)) {
	case 4:		  /* tty, ttyS */
	case 5:		  /* tty, console */
	case 136 ... 143: /* pts */
	case 166:	  /* ttyACM */
	case 188:	  /* ttyUSB */
	case 204:	  /* other serial ports */
	case 229:	  /* hvc */
		return true;
	}
	return false;
}

bool zc_sys_is_empty(int fd)
{
	return false;
}

int zc_sys_getsockopt(int fd, int option, void *value, size_t size)
{
	return -ENOSYS;
}

/* No type of a socket is known, so none is read by this. */
ssize_t zc_sys_receive(int fd, void *buf, size_t len)
{
	return -ENOSYS;
}

void zc_sys_yield(void)
{
}

bool zc_sys_is_alone(void)
{
	return false;
}
