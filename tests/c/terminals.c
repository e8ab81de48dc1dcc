/* SPDX-License-Identifier: 0BSD */
/* Where ioctl(2) is not asked (no_sys_ask.c), a terminal is known by the number
 * of its device: docs/admin-guide/devices.txt of Linux. */
#include <sys/sysmacros.h>

#include "test.h"

static unsigned major_number;

int zc_stat(int fd, const char *name, struct zc_stat *st)
{
	st->rdev = makedev(major_number, 1);
	return 0;
}

static bool is_in(const unsigned *list, unsigned n)
{
	while (*list && *list != n)
		list++;
	return *list;
}

TEST(each_terminal_is_known_by_its_number)
{
	/* tty, tty, pts to the eighth range, ttyACM, ttyUSB, ttyS, hvc */
	static const unsigned known[] = { 4,   5,   136, 137, 138,
					  139, 140, 141, 142, 143,
					  166, 188, 204, 229, 0 };

	for (major_number = 0; major_number < 256; major_number++) {
		checking("%u", major_number);
		CHECK_EQ(zc_is_tty(0), is_in(known, major_number));
	}
}
