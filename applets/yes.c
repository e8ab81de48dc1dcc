/* SPDX-License-Identifier: 0BSD */
/* yes: a line, for ever. */
#include <string.h>
#include <unistd.h>

#include "applet.h"

/* Joins the operands in the buffer, as a line. Where that is full and more is
 * to come, writes it and begins again. Returns how many bytes are left in it.
 */
static size_t join(char *const *operands, struct zc_sink *out, bool *written)
{
	char *buffer = zc_buffer(&zc);
	size_t len = 0;

	for (; *operands; operands++) {
		const char *p = *operands;
		size_t rest = strlen(p) + 1; /* with the blank or newline */

		while (rest) {
			size_t room = ZC_BUFFER - len,
			       n = rest < room ? rest : room;

			memcpy(buffer + len, p, n);
			p += n;
			len += n;
			rest -= n;
			if (rest && len == ZC_BUFFER) {
				zc_write(&zc, out, buffer, len);
				*written = true;
				len = 0;
			}
		}
		buffer[len - 1] = operands[1] ? ' ' : '\n';
	}
	return len;
}

static int yes_main(char *const *operands)
{
	static char *const y[] = { "y", NULL };
	struct zc_sink out = { .fd = STDOUT_FILENO };
	bool written = false;
	size_t len;

	if (IS_ENABLED(CONFIG_CONFINE))
		confine(OPENS_NOTHING);
	zc_identify(&out.end, false);
	len = join(*operands ? operands : y, &out, &written);
	if (!written)
		zc_repeat(&zc, zc_buffer(&zc), len, &out);
	/* A longer line is written in pieces, which takes no memory. */
	while (!out.error && !zc_write(&zc, &out, zc_buffer(&zc), len))
		len = join(operands, &out, &written);
	return message_error("standard output", out.error);
}

const struct applet yes_applet = {
	.name = "yes",
	.directory = "usr/bin",
	.traits = MOVES,
	.help = HELP("Usage: yes [STRING]...\n"
		     "  or:  yes OPTION\n"
		     "Repeatedly output a line with all STRINGs, or 'y'.\n"
		     "\n"),
	.run = yes_main,
};
