/* SPDX-License-Identifier: 0BSD */
/* A service for tee --run as PID 1. It says "ready", and "reaped" once somebody
 * has reaped a process that has lost its parent. At SIGTERM it says so, in
 * 2,000 lines, and exits with 9. With an argument "kill" it sends that signal
 * to its parent. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void end(int sig)
{
	ended = sig;
}

/* Returns the number of a process whose parent has ended. */
static pid_t make_orphan(void)
{
	pid_t pid = 0, child;
	int fd[2];

	if (pipe(fd))
		return 0;
	child = fork();
	if (!child) {
		pid = fork();
		if (!pid) {
			usleep(50000);
			_exit(0);
		}
		_exit(write(fd[1], &pid, sizeof(pid)) < 0);
	}
	waitpid(child, NULL, 0);
	return read(fd[0], &pid, sizeof(pid)) > 0 ? pid : 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };
	pid_t orphan;

	sigaction(SIGTERM, &action, NULL);
	setlinebuf(stdout);
	printf("ready, child of %d\n", getppid());
	fprintf(stderr, "warning\n");
	orphan = make_orphan();
	/* What has ended and was not reaped can still be sent signals. */
	while (!kill(orphan, 0) || errno != ESRCH)
		usleep(10000);
	printf("reaped\n");
	if (argc > 1 && !strcmp(argv[1], "kill"))
		kill(getppid(), SIGTERM);
	while (!ended)
		usleep(10000);
	for (int i = 0; i < 2000; i++)
		printf("last %d\n", i);
	return 9;
}
