/* SPDX-License-Identifier: 0BSD */
/* The stub of sys_ask.c, for sandboxes that kill for calls that only ask:
 * nothing is known. */
#include "engine.h"

int zc_sys_fcntl(int fd, int command, long arg)
{
	return -ENOSYS;
}

bool zc_sys_is_tty(int fd)
{
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

void zc_sys_yield(void)
{
}

bool zc_sys_is_alone(void)
{
	return false;
}

uint64_t zc_sys_memory(void)
{
	return UINT64_MAX;
}
