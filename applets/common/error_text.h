/* SPDX-License-Identifier: 0BSD */
/* Lists of errnos and what each means. */
#ifndef ERROR_TEXT_H
#define ERROR_TEXT_H

/* Errnos up to a 0, and as many strings, one behind the other. */
struct error_list {
	const unsigned short *numbers;
	const char *texts;
	const struct error_list *next;
};

#define ERROR_NUMBER(number, text) number,
#define ERROR_STRING(number, text) text "\0"
#define ERROR_LIST(X, next)                                    \
	{                                                      \
		(const unsigned short[]){ X(ERROR_NUMBER) 0 }, \
			X(ERROR_STRING), next                  \
	}

/* If HAVE_RARE_ERRORS. */
extern const struct error_list rare_errors;

#endif
