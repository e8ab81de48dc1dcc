# SPDX-License-Identifier: 0BSD
# How all is compiled and linked. scripts/compiler tries the compiler once, and again
# when it or its flags are others: $(B)/compiler.mk and $(B)/refused.mk keep the answers.

comma		:= ,
unquote		= $(subst ",,$(1))



CROSS_COMPILE	?= $(call unquote,$(CONFIG_CROSS_COMPILE))
# Empty: scripts/compiler chooses.
compiler	:= $(if $(filter default,$(origin CC)),$(if \
		   $(CROSS_COMPILE),$(CROSS_COMPILE)gcc),$(CC))
user-cflags	= $(CPPFLAGS) $(filter-out $(if $(CONFIG_OWN_LEVEL),-O%),$(CFLAGS)) \
		  $(call unquote,$(CONFIG_EXTRA_CFLAGS))
user-ldflags	= $(LDFLAGS) $(call unquote,$(CONFIG_EXTRA_LDFLAGS))
# One of the kernel's, linux/x.h.
kernel-header	:= $(if $(CONFIG_ZC_RING),io_uring)$(if $(CONFIG_CONFINE),seccomp)

# CC where it is not set, host, machine, macros, trouble and kernel-headers.
describe	:= describe $(B) $(call quote,$(compiler)) \
		   $(call quote,$(user-cflags)) $(call quote,$(kernel-header))
ifndef dry
include $(B)/compiler.mk
# Both are made anew: the answers to other questions may be as old as the key.
other		:= $(call differs,$(B)/compiler.key,$(describe))
$(B)/compiler.key: $(other)
	$(call write,$(describe))
# A compiler that was wrong is tried again: it may have been mended.
retry		:= $(if $(trouble),$(if $(MAKE_RESTARTS),$(error box: $(trouble)),FORCE))
$(B)/compiler.mk: $(B)/compiler.key scripts/compiler $(retry) $(other)
	$(Q)CROSS_COMPILE=$(CROSS_COMPILE) scripts/compiler $(describe) >$@
else
-include $(B)/compiler.mk
endif
CC		:= $(or $(compiler),$(CC))

processor	= $(firstword $(subst -, ,$(1)))
is-native	:= $(filter $(call processor,$(host)),$(call processor,$(machine)))
is-musl		:= $(if $(filter __GLIBC__,$(macros)),,y)
is-glibc	:= $(and $(CONFIG_STATIC),$(filter __GLIBC__,$(macros)))

static		:= $(if $(CONFIG_STATIC),-static,-no-pie)
# musl's own start-up code is all that a static program needs of it, and
# musl-gcc does not know of -static-pie. Of two empty tables of symbols one will
# do.
ifdef CONFIG_STATIC
ifdef is-musl
musl-start	:= -nostartfiles $(if $(CONFIG_STATIC_PIE),-l:rcrt1.o \
		   -Wl$(comma)-pie$(comma)--no-dynamic-linker \
		   -Wl$(comma)--hash-style=sysv,-l:crt1.o)
link-$(and $(CONFIG_HARDEN),$(CONFIG_STATIC_PIE)) += relro
link-y		+= stack_size
# musl's start-up code alone tells its code for old ARM about the processor.
link-$(if $(filter __arm__,$(macros)),,$(CONFIG_START)) += start
# Layouts of our own: of what has START, and of what is hardened most.
layouts		:= $(if $(CONFIG_DEBUG),,$(if $(CONFIG_STATIC_PIE),$(if \
		   $(CONFIG_HARDEN),x86_64-pie),$(if $(CONFIG_START),x86_64)))
layout		:= $(if $(filter __x86_64__,$(macros)),$(if \
		   $(layouts),scripts/link/$(layouts).ld))
own-layout	:= $(layout:%=-Wl,-T,%)
endif
endif

# DEBUG keeps symbols, and so does STRIP=n, which changes nothing else.
symbols		:= $(or $(CONFIG_DEBUG),$(filter n,$(STRIP)))

# Flags that not all compilers and linkers know. Optimizing across files saves
# 0.6 KB in a tiny box; gcc alone knows the second flag for it, and what clang
# makes of the first, GNU's linker cannot read.
lto		:= $(if $(CONFIG_DEBUG)$(CONFIG_SANITIZE),,-flto \
		   -flto-partition=one)
smallest	:= $(if $(CONFIG_DEBUG),,-Oz)
# gcc aligns arrays to 32 bytes, unless it is told that none of them is shared with
# an object of gcc 4.8 or older.
abi-data	:= $(if $(filter __x86_64__,$(macros)),-malign-data=abi)
no-unused	:= -Wl,--gc-sections,--build-id=$(if $(symbols),sha1,none) \
		   -Wl,--sort-section=alignment
no-comment	:= $(if $(layout),,-Wl$(comma)-T \
		   -Wl$(comma)scripts/link/no-comment.ld)
no-unwinding	:= $(if $(CONFIG_DEBUG),,-Wl$(comma)--no-eh-frame-hdr)
relro		:= -Wl,-z,$(if $(CONFIG_HARDEN),relro$(comma)-z$(comma)now,norelro)
segments	:= -Wl,-z,$(if $(CONFIG_HARDEN),,no)separate-code
# Some linkers align for pages of 4 KiB, and there are kernels with larger ones.
large-pages	:= $(if $(filter __arm__,$(macros)), \
		   -Wl$(comma)-z$(comma)max-page-size=65536)
# Distributions ask for the short form of a static-pie's relocations, which a C library
# that does not know of it leaves undone (musl before 1.2.4): the last word is ours.
relr		:= $(if $(CONFIG_STATIC_PIE),-Wl$(comma)-z$(comma)$(if \
		   $(filter DT_RELR,$(macros)),,no)pack-relative-relocs)

optional	:= lto smallest abi-data no-unused no-comment no-unwinding relro \
		   segments large-pages musl-start own-layout relr
try		:= refused $(B) $(call quote,$(CC) $(user-cflags) $(static)) \
		   $(call quote,$(user-ldflags)) \
		   $(foreach f,$(optional),$(call quote,$(f)=$($(f))))
ifndef dry
# Not of a compiler of which nothing is known yet.
ifeq ($(other)$(trouble),)
include $(B)/refused.mk
endif
other		:= $(call differs,$(B)/refused.key,$(try))
$(B)/refused.key: $(other)
	$(call write,$(try))
$(B)/refused.mk: $(B)/refused.key scripts/compiler $(other)
	$(Q)scripts/compiler $(try) >$@
else
-include $(B)/refused.mk
endif
$(foreach f,$(refused),$(eval $(f) :=))

# A structure of libcore/core.h has another as a part of its own: -fms-extensions.
cflags-y	:= -std=gnu11 -fms-extensions -Wno-microsoft-anon-tag \
		   -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Wno-unused-parameter \
		   -ffunction-sections -fdata-sections
cflags-$(CONFIG_DEBUG)		+= -Og
cflags-$(if $(CONFIG_DEBUG),,y)	+= -Os -fno-asynchronous-unwind-tables
cflags-$(if $(symbols),y)	+= -g
cflags-y	+= $(lto) $(smallest) $(abi-data)
cflags-$(CONFIG_HARDEN)		+= -fstack-protector-strong
cflags-$(if $(CONFIG_HARDEN),,y) += -fno-stack-protector
cflags-y	+= $(if $(CONFIG_STATIC_PIE),-fPIE,-fno-pie)
cflags-$(CONFIG_SANITIZE)	+= -fsanitize=address,undefined
ldflags-y	:= $(no-unused) $(no-comment) $(no-unwinding) $(relro) $(segments) \
		   $(large-pages) $(if $(CONFIG_STATIC_PIE),$(if \
		   $(musl-start),-static,-static-pie),$(static)) $(musl-start) \
		   $(own-layout)
ldflags-$(if $(symbols),,y)	+= -s
ldflags-$(CONFIG_SANITIZE)	+= -fsanitize=address,undefined
all-cflags	= $(cflags-y) -I$(B)/include -Ilibcore -Iapplets $(user-cflags)
# Optimizing across files compiles again at the link: by the flags of compilations,
# such as those that keep a build's directory out of the debug information.
all-ldflags	= $(cflags-y) $(user-cflags) $(ldflags-y) $(user-ldflags) $(relr)
# What is done to a program that is linked.
keep-headers	:= $(or $(CONFIG_SECTION_HEADERS),$(symbols),$(if \
		   $(CONFIG_STATIC),,y))
finish		:= $(if $(keep-headers),,scripts/link/drop-sections)

# Its loops were measured as they are compiled by themselves. The vectors that its
# functions pass to each other are passed to no other file.
$(B)/applets/cat_format.o: cflags-y := $(filter-out $(lto) \
		   $(smallest),$(cflags-y)) -Wno-psabi
$(B)/applets/common/confine.o $(B)/libcore/engine/ring.o \
  $(B)/lib/engine/ring.o: all-cflags += $(kernel-headers)

# Flags that do not go together can make a program that ends at its first instruction.
# Every box, and every applet, ends by itself without standard input and output.
starts		= $@ <&- >&- 2>&-; [ $$? != 139 ] || { \
		    echo "box: $@ ends by SIGSEGV as it starts: see CFLAGS and" \
		    "LDFLAGS" >&2; exit 1; }
