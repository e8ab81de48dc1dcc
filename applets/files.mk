# SPDX-License-Identifier: 0BSD
# The files of applets/, a line each: CONFIG_X chooses x.c. docs/DESIGN.md says what
# each defines.

# Applets, x_applet, in the order of box --list. Each has a manual, x.1.
applets-$(CONFIG_CAT)		+= cat
applets-$(CONFIG_TEE)		+= tee
applets-$(CONFIG_YES)		+= yes

# Groups of options that can be left out, x_options, in the order of --help.
options-$(CONFIG_CAT_FORMAT)	+= cat_format
options-$(CONFIG_TEE_ERROR)	+= tee_error
options-$(CONFIG_TEE_BLOCK)	+= tee_block
options-$(CONFIG_TEE_LAG)	+= tee_lag
options-$(CONFIG_TEE_REOPEN)	+= tee_reopen
options-$(CONFIG_TEE_RETRY)	+= tee_retry
options-$(CONFIG_TEE_ROTATE)	+= tee_rotate
options-$(CONFIG_TEE_STAMP)	+= tee_stamp
options-$(CONFIG_TEE_RUN)	+= tee_run
options-$(CONFIG_METHOD)	+= options/method
options-$(CONFIG_TRACE)		+= options/trace
options-$(CONFIG_PROGRESS)	+= options/progress
options-$(CONFIG_HELP)		+= options/help
options-$(CONFIG_VERSION)	+= options/version

# Commands of box itself, x_command.
commands-$(CONFIG_HELP)		+= box/help
commands-$(CONFIG_VERSION)	+= box/version
commands-$(CONFIG_INSTALLER)	+= box/installer
commands-$(CONFIG_SHOW_CONFIG)	+= box/show_config
commands-$(CONFIG_PROBE)	+= box/probe

# What applets stand on.
shared-y			+= common/allocate
shared-y			+= common/block_signal
shared-y			+= common/command_line
shared-y			+= common/error_text
shared-y			+= common/message
shared-y			+= common/operand
shared-y			+= common/option
shared-y			+= common/put
shared-y			+= common/state
shared-y			+= common/string
shared-y			+= common/sys
shared-y			+= common/usage
shared-y			+= options/groups
shared-$(CONFIG_TEE_FILE)	+= tee_file
shared-$(CONFIG_DESCRIPTOR)	+= common/descriptor
shared-$(CONFIG_LISTEN)		+= common/listen
shared-$(CONFIG_LONG_OPTS)	+= common/long_opts
shared-$(CONFIG_QUOTE)		+= common/quote
shared-$(CONFIG_CONFINE)	+= common/confine
shared-$(CONFIG_EXIT_HOOKS)	+= common/exit_hooks

# The dispatcher.
dispatcher-y			+= box/applets
dispatcher-y			+= box/box
