/* SPDX-License-Identifier: 0BSD */
/* Lists of errnos and what each means. */
#ifndef ERROR_TEXT_H
#define ERROR_TEXT_H

#include <errno.h>

/* As large as MIPS needs, where EDQUOT is 1133. */
#if EDQUOT > 255
typedef unsigned short error_number;
#else
typedef unsigned char error_number;
#endif

/* Errnos up to a 0, and as many strings, one behind the other. */
struct error_list {
	const error_number *numbers;
	const char *texts;
	const struct error_list *next;
};

#define ERROR_NUMBER(number, text) number,
#define ERROR_STRING(number, text) text "\0"
#define ERROR_LIST(X, next)                                                   \
	{                                                                     \
		(const error_number[]){ X(ERROR_NUMBER) 0 }, X(ERROR_STRING), \
			next                                                  \
	}

/* If HAVE_RARE_ERRORS. */
extern const struct error_list rare_errors;

#endif
