/* SPDX-License-Identifier: 0BSD */
/* libcore/engine/range.c in Promela: processes that share the position of one
 * file. To take a byte is to read it from a source, or to fill it in a sink.
 * Each system call is one step. What scripts/prove defines:
 *
 *	STOP	a box may stop in a range, as where its sink fails, and gives
 *		the rest back
 *	FAKE	the position does not move, though lseek(2) is answered
 *
 * What has to hold in the end, of each byte before the position or a byte that
 * was taken:
 *
 *	EXACT	it was taken once
 *	ONCE	it was taken at most once
 *	TOLD	it was taken once, or was left in the range of a box that has
 *		stopped, unless the position was moved while one gave back
 *
 * And what is broken on purpose: DROP, BLIND, NULL_OFFSET and TRUST. */
#ifndef BOXES
#define BOXES 2
#endif
#ifndef OTHERS
#define OTHERS 1 /* processes that only read(2), or only write(2) */
#endif
#ifndef CALLS
#define CALLS 1 /* of each of these, of one byte or two */
#endif
#ifndef RUNS
#define RUNS 2 /* ranges of a box, of two bytes each */
#endif
#define RUN 2
#define MAX 32

byte pos = 0;
byte taken[MAX]; /* how often */
bool told[MAX];	 /* left in the range of a box that has stopped */
byte within = 0; /* boxes that give back, since they have looked */
bool raced = false;
byte done = 0;

/* A step that moves the position, of a process that is itself within or not. */
inline moves(self)
{
	if
	:: within > self -> raced = true
	:: else
	fi
}

inline take(at)
{
	assert(at < MAX);
	taken[at]++
}

/* read(2) or write(2). */
inline plain_call(n)
{
	d_step {
		moves(0);
		take(pos);
		if
		:: n == 2 -> take(pos + 1)
		:: else
		fi;
		pos = pos + n
	}
}

/* zc_move_back(in->fd, &in->range, in->range.at) */
inline move_back()
{
#ifdef BLIND
	d_step { pos = pos - (end - at); end = at }
#else
	d_step {
		n = end - at;
		same = pos == end;
		if
		:: same -> within++
		:: else
		fi
	}
	if
	:: !same
	:: else ->
		d_step {
			moves(1);
#ifdef FAKE
			back = pos
#else
			if
			:: pos < n -> back = -1
			:: else ->
				pos = pos - n;
				back = pos
			fi
#endif
		}
		if
		:: back == at ->
			d_step { end = at; within-- }
		:: back < 0 ->
			within--
		:: else ->
			d_step {
				moves(1);
#ifndef FAKE
				pos = pos + n;
#endif
				forth = pos;
				if
				:: forth == back -> at = end
				:: forth != back && forth - n > back && back < end ->
					at = forth - n
				:: else
				fi;
				within--
			}
		fi
	fi;
	d_step { n = 0; back = 0; forth = 0; same = false } /* fewer states */
#endif
}

/* zc_reserve() */
inline reserve()
{
	seen = pos; /* lseek(fd, 0, SEEK_CUR) */
	d_step {
		moves(0);
#ifndef FAKE
		pos = pos + RUN;
#endif
		end = pos;
		at = end - RUN
	}
	if
#ifdef DROP /* as it was: what begins too early was given back, or lost */
	:: at < seen ->
		move_back();
		at = end
#elif !defined TRUST
	:: end == seen ->
		move_back()
#endif
	:: else
	fi;
	seen = 0
}

proctype Box()
{
	short at = 0, end = 0, seen, back, forth;
	byte n, runs = 0;
	bool same, stopped = false;

	do
	:: runs == RUNS || stopped -> break
	:: else ->
		runs++;
#ifdef NULL_OFFSET
		seen = pos;
		take(seen);
		take(seen + 1);
		pos = seen + RUN;
#else
		reserve();
		if
		:: at >= end -> plain_call(1) /* rw goes on */
		:: else
		fi;
		do
		:: at >= end || stopped -> break
		:: at < end && !stopped ->
#ifdef FAKE
			assert(false);
#endif
			d_step { take(at); at++ }
#ifdef STOP
		:: at < end && !stopped -> stopped = true
#endif
		od
#endif
	od;
	/* zc_give_back() */
	if
	:: at < end ->
		move_back();
		d_step {
			do
			:: at < end -> told[at] = true; at++
			:: else -> break
			od
		}
	:: else
	fi;
	done++
}

proctype Other()
{
	byte calls = 0;

	do
	:: calls == CALLS -> break
	:: calls < CALLS -> calls++; plain_call(1)
	:: calls < CALLS -> calls++; plain_call(2)
	:: calls < CALLS -> calls++
	od;
	done++
}

init {
	byte i = 0, top = 0;
	bool once = true, all = true, all_or_told = true;

	atomic {
		do
		:: i < BOXES -> run Box(); i++
		:: i >= BOXES && i < BOXES + OTHERS -> run Other(); i++
		:: else -> break
		od
	}
	done == BOXES + OTHERS;
	d_step {
		i = 0;
		do
		:: i < MAX ->
			if
			:: taken[i] -> top = i + 1
			:: else
			fi;
			i++
		:: else -> break
		od;
		if
		:: pos > top -> top = pos
		:: else
		fi;
		i = 0;
		do
		:: i < top ->
			once = once && taken[i] <= 1;
			all = all && taken[i];
			all_or_told = all_or_told && (taken[i] || told[i]);
			i++
		:: else -> break
		od
	}
#ifdef EXACT
	assert(once && all);
#endif
#ifdef ONCE
	assert(once);
#endif
#ifdef ALL
	assert(all);
#endif
#ifdef TOLD
	assert(raced || (once && all_or_told));
#endif
}
