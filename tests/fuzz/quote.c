/* SPDX-License-Identifier: 0BSD */
/* Names in messages: quoted as is defined, readable by a shell, and printing.
 */
#include "reference.h"

/* What a shell makes of the word: 'as it is', "as it is", $'\escaped', \x. */
static void read_back(struct text *name, const char *p)
{
	const char *letters = "abtnvfr";

	while (*p) {
		if (*p == '\'' || *p == '"') {
			char quote = *p++;

			for (; *p != quote; p++) {
				CHECK(*p);
				CHECK(quote == '\'' || !strchr("\\$`!", *p));
				append(name, p, 1);
			}
			p++;
		} else if (*p == '$') {
			CHECK(p[1] == '\'');
			for (p += 2; *p != '\''; p++) {
				char c;

				CHECK(*p == '\\');
				if (strchr(letters, *++p)) {
					c = strchr(letters, *p) - letters + 7;
				} else {
					c = (p[0] - '0') << 6 |
					    (p[1] - '0') << 3 | (p[2] - '0');
					p += 2;
				}
				append(name, &c, 1);
			}
			p++;
		} else {
			p += *p == '\\';
			append(name, p, 1);
			p++;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct applet a = { .name = "x" };
	static struct text name, want, read;

	kernel_new();
	name.len = want.len = read.len = 0;
	for (size_t i = 0; i < len; i++)
		append(&name, bytes[i] ? (char *)bytes + i : "'", 1);
	append_string(&name, "");

	applet = &a;
	message_path(name.at, "it");
	append_string(&want, "x: ");
	reference_quote(&want, name.at);
	append_string(&want, ": it\n");
	check_same(&kernel.err, &want);

	/* Between "x: " and ": it\n" is the word. */
	kernel.err.len -= 5;
	kernel.err.at[kernel.err.len] = 0;
	for (const char *p = kernel.err.at; *p;) {
		int n = printing((const unsigned char *)p);

		CHECK(n);
		p += n;
	}
	read_back(&read, kernel.err.at + 3);
	check_same(&read, &name);
	return 0;
}
