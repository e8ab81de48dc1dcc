/* SPDX-License-Identifier: 0BSD */
/* Chance, and the bytes that go in and must come out: streams that are known
 * at every position, so that nothing has to be kept to be compared. */
#include "adversary.h"

uint64_t chance_state;

uint64_t any(void)
{
	uint64_t x = chance_state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

uint64_t below(uint64_t n)
{
	return any() % n;
}

uint64_t between(uint64_t low, uint64_t high)
{
	return low + below(high - low + 1);
}

bool chance(unsigned of_256)
{
	return below(256) < of_256;
}

unsigned char tables[TABLES][TABLE];

void fill_tables(void)
{
	chance_state = 1;
	for (int i = 0; i < TABLE; i++) {
		bool line = chance(4) ||
			    (i && chance(64) && tables[OURS][i - 1] == '\n');

		tables[OURS][i] = line ? '\n' : between(1, 127);
		tables[SECOND][i] = between(128, 191);
		tables[THIRD][i] = between(192, 255);
		/* A terminal has lines, and gives some bytes a meaning. */
		tables[TYPED][i] = i % 64 == 63 ? '\n' : between(' ', '~');
	}
}

static struct stream new_stream(enum owner owner, size_t len)
{
	return (struct stream){ tables[owner], TABLE, below(TABLE / 64) * 64,
				len };
}

struct text new_text(enum owner owner, size_t len)
{
	return (struct text){ { new_stream(owner, len) }, 1 };
}

size_t text_len(const struct text *t)
{
	size_t len = 0;

	for (int i = 0; i < t->parts; i++)
		len += t->part[i].len;
	return len;
}

const unsigned char *piece_at(const struct text *t, size_t at, size_t *n)
{
	*n = 0;
	for (int i = 0; i < t->parts; i++) {
		const struct stream *s = &t->part[i];
		size_t in_table = s->wrap ? (s->at + at) % s->wrap : 0;

		if (at < s->len) {
			*n = s->wrap - in_table;
			if (*n > s->len - at)
				*n = s->len - at;
			return s->p + in_table;
		}
		at -= s->len;
	}
	return NULL;
}

bool is_text(const struct text *t, size_t at, const unsigned char *got,
	     size_t n)
{
	while (n) {
		size_t max;
		const unsigned char *p = piece_at(t, at, &max);

		if (max > n)
			max = n;
		if (!max || memcmp(p, got, max))
			return false;
		at += max;
		got += max;
		n -= max;
	}
	return true;
}

bool are_shares(const struct text *source, const unsigned char *a, size_t na,
		const unsigned char *b, size_t nb)
{
	enum { WAYS = 4096 };
	static size_t now[WAYS], next[WAYS];
	size_t ways = 1, all = text_len(source);

	if (na + nb != all)
		return false;
	now[0] = 0;
	for (size_t k = 0; k < all && ways; k++) {
		size_t n, m = 0;
		unsigned char c = *piece_at(source, k, &n);

		for (size_t w = 0; w < ways && m < WAYS - 2; w++) {
			size_t i = now[w];

			if (k - i < nb && b[k - i] == c &&
			    (!m || next[m - 1] != i))
				next[m++] = i;
			if (i < na && a[i] == c)
				next[m++] = i + 1;
		}
		memcpy(now, next, m * sizeof(*now));
		ways = m;
	}
	return ways;
}
