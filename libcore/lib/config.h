/* SPDX-License-Identifier: 0BSD */
/* The parts of libzc. No configuration of box changes them. */
#define CONFIG_ZC_COPY_FILE_RANGE 1
#define CONFIG_ZC_SPLICE 1
#define CONFIG_ZC_TEE 1
#define CONFIG_ZC_VMSPLICE 1
#define CONFIG_ZC_SENDFILE 1
#define CONFIG_ZC_PIPE_BUFFERS 1
#define CONFIG_ZC_CANCEL 1
#define CONFIG_ZC_HANGUP 1
#define CONFIG_ZC_LAG 1
#define CONFIG_ZC_OWN 1
#define CONFIG_ZC_RANGE 1
#define CONFIG_ZC_LIBRARY 1
#define CONFIG_ZC_PIPE_KB 1024
#define CONFIG_ZC_YIELDS 128
