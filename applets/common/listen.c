/* SPDX-License-Identifier: 0BSD */
/* Signals that end a call of libcore, by a signalfd(2) as its cancel_fd. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "applet.h"

int listen_fd = -1;

/* SIGHUP is heard even if nohup(1) has it ignored, because the kernel keeps a
 * blocked signal (signalfd(2)). */
int listen_to(int sig)
{
	static signal_set set;
	int fd;

	block_signal(sig);
	signal_set_add(set, sig);
	fd = sys_signalfd(listen_fd, set, SFD_NONBLOCK | SFD_CLOEXEC);
	fd = fd < 0 ? -errno : zc_above_stdio(fd);
	if (fd < 0)
		return fd;
	listen_fd = fd;
	return 0;
}

int listen_heard(void)
{
	struct signalfd_siginfo info;

	return sys_read(listen_fd, &info, sizeof(info)) > 0 ?
		       (int)info.ssi_signo :
		       0;
}
