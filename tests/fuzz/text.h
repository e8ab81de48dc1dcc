/* SPDX-License-Identifier: 0BSD */
/* Bytes that are compared. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                      \
	do {                                                             \
		if (!(what)) {                                           \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				__LINE__, #what);                        \
			abort();                                         \
		}                                                        \
	} while (0)

/* Bytes, of which there can be more. */
struct text {
	char *at;
	size_t len, room;
};

static void append(struct text *t, const void *bytes, size_t len)
{
	if (t->len + len + 1 > t->room) {
		t->room = 2 * (t->len + len + 1);
		t->at = realloc(t->at, t->room);
		CHECK(t->at);
	}
	/* Of no bytes the address may be NULL. */
	if (len)
		memcpy(t->at + t->len, bytes, len);
	t->len += len;
	t->at[t->len] = 0;
}

static void append_string(struct text *t, const char *s)
{
	append(t, s, strlen(s));
}
