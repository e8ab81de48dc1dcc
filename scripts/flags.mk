# SPDX-License-Identifier: 0BSD
# How all is compiled and linked. scripts/compiler tries the compiler once, and again when
# the configuration, the compiler or its flags are others: $(B)/compiler.mk is its answer.

unquote		= $(subst ",,$(1))
# O=DIR keeps the compiler that it was given, for a goal such as install.
kept		:= $(if $(O),$(filter defaultundefined,$(origin CC)$(origin CROSS_COMPILE)))
CROSS_COMPILE	?= $(or $(call unquote,$(CONFIG_CROSS_COMPILE)),$(and $(kept),$(given-cross)))
# Empty: scripts/compiler chooses.
compiler	:= $(if $(filter default,$(origin CC)),$(if \
		   $(CROSS_COMPILE),$(CROSS_COMPILE)gcc,$(and $(kept),$(given-cc))),$(CC))
user-cflags	:= $(CPPFLAGS) $(filter-out $(if $(CONFIG_OWN_LEVEL),-O%),$(CFLAGS)) \
		   $(call unquote,$(CONFIG_EXTRA_CFLAGS))
user-ldflags	:= $(LDFLAGS) $(call unquote,$(CONFIG_EXTRA_LDFLAGS))

ifndef dry
given		:= CROSS_COMPILE compiler user-cflags user-ldflags STRIP
asked		:= $(foreach v,$(given),$($(v));)
# A compiler that was wrong is tried again, once: it may have been mended.
again		:= $(or $(call differ,$(asked),$(answered)),$(if $(trouble),$(if \
		   $(MAKE_RESTARTS),$(error box: $(trouble)),FORCE)))
$(B)/compiler.mk: $(config) scripts/compiler $(again)
	$(Q)scripts/compiler $(B) $(foreach v,$(given),$(call quote,$($(v)))) >$@
endif
CC		:= $(or $(compiler),$(chosen-cc))

# Optimizing across files compiles again at the link: by the flags of compilations,
# such as those that keep a build's directory out of the debug information.
all-cflags	= $(cflags) -I$(B)/include -Ilibcore -Iapplets $(user-cflags)
all-ldflags	= $(cflags) $(user-cflags) $(ldflags) $(user-ldflags) $(relr)

# Its loops were measured as they are compiled by themselves. The vectors that its
# functions pass to each other are passed to no other file.
$(B)/applets/cat_format.o: cflags := $(filter-out $(once-whole),$(cflags)) -Wno-psabi
$(B)/applets/common/confine.o $(B)/libcore/methods/ring.o \
  $(B)/lib/methods/ring.o: all-cflags += $(kernel-headers)
