/* SPDX-License-Identifier: 0BSD */
/* Messages, on standard error. */
#include "applet.h"

void put_name(const char *name)
{
	if (IS_ENABLED(CONFIG_QUOTE))
		quote_put_name(name);
	else
		put_string(name);
}

void message_begin(void)
{
	put_begin();
	put_name(applet->name);
	put_string(": ");
}

void message_end(void)
{
	put_byte('\n');
	put_end();
}

int message(const char *what)
{
	message_begin();
	put_string(what);
	message_end();
	return 1;
}

int message_error(const char *what, int err)
{
	message_begin();
	put_string(what);
	put_string(": ");
	put_string(error_text(err));
	message_end();
	return 1;
}

int message_path(const char *name, const char *what)
{
	message_begin();
	put_name(name);
	put_string(": ");
	put_string(what);
	message_end();
	return 1;
}

int put_print(void)
{
	int err = put_write();

	return err ? message_error("write error", err) : 0;
}
