# SPDX-License-Identifier: 0BSD
# box: lists on top, rules below; "make help" prints the comments after "##".

VERSION := 0.1
# Who publishes box, its page, and where its tarballs are: scripts/publish writes
# these into every recipe of packaging/.
MAINTAINER := The box authors <box@box.invalid>
HOMEPAGE := https://box.invalid
SITE := https://box.invalid/releases

# To make and to the shell a name with a space is two.
$(if $(word 2,x$(CURDIR)x),$(error box: the path $(CURDIR) holds a space))
$(if $(word 2,x$(O)x),$(error box: O= holds a space))

# Where things go. O=DIR keeps everything, .config too, in DIR.
B		:= $(or $(O),build)
KCONFIG		:= $(if $(O),$(O)/.config,.config)
# An image or a package has it in /usr; the system's own cat is not replaced.
PREFIX		?= $(if $(DESTDIR),/usr,/usr/local)
INSTALL_LINKS	?= symbolic

# The configuration, but for goals that make it or do without.
interactive	:= menuconfig nconfig oldconfig
automatic	:= olddefconfig allyesconfig allnoconfig randconfig
no-config-goals	:= $(interactive) $(automatic) defconfig %_defconfig \
		   savedefconfig help clean distclean check check-all \
		   check-cross check-sanitize analyze fuzz coverage \
		   oci dist simulate simulate-check adversary soak mutants \
		   check-vm check-fs
all:
ifneq ($(filter-out $(no-config-goals),$(or $(MAKECMDGOALS),all)),)
include $(B)/include/config/auto.conf
endif

# CONFIG_X is x.c and x_..., in the directory named here. An applet is x_applet,
# and x.1 beside it its manual.
applets-$(CONFIG_CAT)		+= cat
applets-$(CONFIG_TEE)		+= tee
applets-$(CONFIG_YES)		+= yes

# Groups of options that can be left out, x_options: of one applet in
# applets/, of any in applets/options/.
options-$(CONFIG_CAT_FORMAT)	+= cat_format
options-$(CONFIG_TEE_ERROR)	+= tee_error
options-$(CONFIG_TEE_LAG)	+= tee_lag
options-$(CONFIG_METHOD)	+= options/method
options-$(CONFIG_TRACE)		+= options/trace
options-$(CONFIG_PROGRESS)	+= options/progress
options-$(CONFIG_HELP)		+= options/help
options-$(CONFIG_VERSION)	+= options/version

# Commands of box itself, x_command, in applets/box/.
commands-$(CONFIG_HELP)		+= help
commands-$(CONFIG_VERSION)	+= version
commands-$(CONFIG_INSTALLER)	+= installer
commands-$(CONFIG_SHOW_CONFIG)	+= show_config
commands-$(CONFIG_PROBE)	+= probe

# What applets stand on.
shared-y			:= common/allocate common/block_signal \
				   common/command_line common/error_text \
				   common/message common/option common/print \
				   common/put common/state common/string \
				   common/usage options/groups
shared-$(CONFIG_LONG_OPTS)	+= common/long_opts
shared-$(CONFIG_QUOTE)		+= common/quote
shared-$(CONFIG_CONFINE)	+= common/confine
shared-$(CONFIG_EXIT_HOOKS)	+= common/exit_hooks common/handle_signal

# Ways of moving bytes, zc_method_x, in libcore/methods/, best first.
methods-$(CONFIG_ZC_REFLINK)	+= reflink
methods-$(CONFIG_ZC_SPLICE)	+= splice
methods-$(CONFIG_ZC_TEE)	+= tee
methods-$(CONFIG_ZC_VMSPLICE)	+= vmsplice
methods-$(CONFIG_ZC_SENDFILE)	+= sendfile
methods-$(CONFIG_ZC_MMAP)	+= mmap
methods-$(CONFIG_ZC_IO_URING)	+= io_uring
methods-$(CONFIG_ZC_IO_URING_SPLICE) += io_uring_splice
methods-$(CONFIG_ZC_DONTCACHE)	+= dontcache
methods-y			+= rw

# What methods stand on, in libcore/engine/.
core-y				:= copy endpoint failure fan_out grow io sys \
				   sys_stat wait
core-$(CONFIG_ZC_RANGE)		+= flush range relay
core-$(CONFIG_ZC_HANGUP)		+= hangup
core-$(CONFIG_ZC_PIPE_BUFFERS)	+= pipe_buffers
core-$(CONFIG_ZC_RING)		+= ring
core-$(CONFIG_ZC_TEE)		+= slack
core-$(CONFIG_ZC_LAG)		+= lag

Q		:= $(if $(V),,@)
silent		:= $(findstring s,$(firstword -$(MAKEFLAGS)))
say		= $(if $(V)$(silent),,@printf '  %-7s %s\n' '$(1)' '$(2)')

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all
all: ##			box (and with one applet alone, that as a program)

# Configuration ------------------------------------------------------------

config-files	:= Config.in applets/Config.in libcore/Config.in
kconfig		= $(Q)scripts/kconfig $(1) $(B) $(abspath $(KCONFIG))

.PHONY: $(interactive) $(automatic) defconfig savedefconfig
menuconfig: ##		choose in a menu
	$(call kconfig,$@)
nconfig: ##		choose in another menu
	$(call kconfig,$@)
oldconfig: ##		ask about what is new in .config
	$(call kconfig,$@)
olddefconfig: ##		take the defaults for what is new
allyesconfig: ##	everything
allnoconfig: ##		nothing
randconfig: ##		something (KCONFIG_SEED=N repeats it)
$(automatic):
	$(call kconfig,$@) >/dev/null
defconfig: ##		the defaults
	$(call kconfig,$@) >/dev/null
%_defconfig: configs/%_defconfig ##	what configs/NAME_defconfig says
	$(call kconfig,$@) >/dev/null
savedefconfig: ##	write $B/defconfig: what differs from the defaults
	$(call kconfig,$@) >/dev/null

$(KCONFIG):
	$(call kconfig,defconfig) >/dev/null
$(B)/include/config/auto.conf: $(KCONFIG) $(config-files)
	$(call kconfig,olddefconfig) >/dev/null
	$(call kconfig,sync) >/dev/null
	@touch $@

# Building -------------------------------------------------------------------

ifdef CONFIG_ZC_YIELDS

comma		:= ,
unquote		= $(subst ",,$(1))
CROSS_COMPILE	?= $(call unquote,$(CONFIG_CROSS_COMPILE))
host		:= $(shell cc -dumpmachine 2>/dev/null)
musl-cc		:= $(if $(findstring musl,$(host)),$(if \
		   $(shell command -v musl-gcc),musl-gcc,cc),musl-gcc)
ifeq ($(origin CC),default)
CC		:= $(if $(CROSS_COMPILE),$(CROSS_COMPILE)gcc,$(musl-cc))
endif

machine		:= $(shell $(CC) -dumpmachine 2>/dev/null)
processor	= $(firstword $(subst -, ,$(1)))

user-cflags	= $(CPPFLAGS) $(filter-out $(if $(CONFIG_OWN_LEVEL),-O%),$(CFLAGS)) \
		  $(call unquote,$(CONFIG_EXTRA_CFLAGS))
user-ldflags	= $(LDFLAGS) $(call unquote,$(CONFIG_EXTRA_LDFLAGS))

# What the compiler says of itself, its C library (musl has no macro) and its
# machine.
macros		:= $(shell $(CC) $(user-cflags) -E -dM -include features.h -include \
		     elf.h -x c /dev/null 2>/dev/null | sed -n \
		     's/^\#define \(__[a-zA-Z0-9_]*__\|DT_RELR\)[ \t].*/\1/p')
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
ifdef CONFIG_HARDEN
relro		:= -Wl,-z,relro,-z,now
segments	:= -Wl,-z,separate-code
else
relro		:= -Wl,-z,norelro
segments	:= -Wl,-z,noseparate-code
endif
# Some linkers align for pages of 4 KiB, and there are kernels with larger ones.
large-pages	:= $(if $(filter __arm__,$(macros)), \
		   -Wl$(comma)-z$(comma)max-page-size=65536)

# Distributions ask for the short form of a static-pie's relocations, which a C library
# that does not know of it leaves undone (musl before 1.2.4): the last word is ours.
relr		:= $(if $(CONFIG_STATIC_PIE),-Wl$(comma)-z$(comma)$(if \
		   $(filter DT_RELR,$(macros)),,no)pack-relative-relocs)

# They are tried at once and, if that fails, one by one: into a file of our
# own, for there are compilers that remove what they are to write.
optional	:= lto smallest abi-data no-unused no-comment no-unwinding relro \
		   segments large-pages musl-start own-layout relr
try		= $(shell echo 'int main(void) { return 0; }' | $(CC) \
		    $(user-cflags) $(static) $(1) $(user-ldflags) -Werror \
		    -Wl,--fatal-warnings \
		    -o $(B)/try -x c - >/dev/null 2>&1 && echo $(1); \
		    rm -f $(B)/try)
$(shell mkdir -p $(B)/applets/box $(B)/applets/common \
  $(B)/scripts/link \
  $(B)/applets/options $(B)/libcore/engine \
  $(B)/libcore/methods)
$(if $(call try,$(foreach f,$(optional),$($f))),,$(foreach \
  f,$(optional),$(eval $f := $(call try,$($f)))))

cflags-y	:= -std=gnu11 -D_FILE_OFFSET_BITS=64 -Wall -Wextra \
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

# The choices reach C as lists, METHOD(rw) and the like, and numbers. A file is
# written only when it changes, so that only what depends on it is built again.
define newline


endef
space		:= $(subst ,, )
# make 4.3 does not always take off the newline that it has put at a file's end.
update		= $(if $(wildcard $(1)),$(if $(subst x$(strip $(2))x,,x$(strip \
		  $(file <$(1)))x),$(file >$(1),$(2))),$(file >$(1),$(2)))
list		= $(call update,$(B)/include/$(2).h,$(subst $(space),$(newline),$(strip \
		  $(foreach name,$(3),$(1)($(name))))))

$(call list,APPLET,applets,$(applets-y))
$(call list,OPTIONS,options,$(notdir $(options-y)))
$(call list,COMMAND,commands,$(commands-y))
$(call list,METHOD,methods,$(methods-y))
$(call list,METHOD,methods_off,$(methods-))
$(call update,$(B)/include/config_text.h,$(shell sed -n \
  '/^CONFIG_/{s/"/\\"/g; s/^CONFIG_//; s/=y$$//; s/.*/"&\\0"/p}' \
  $(KCONFIG)))
$(call update,$(B)/include/version.h,#define BOX_VERSION "$(VERSION)")
# abuild says its flags again when it installs: the last of each counts.
once		= $(if $(1),$(call once,$(filter-out $(lastword $(1)),$(1))) $(lastword $(1)))
$(call update,$(B)/flags,$(CC) $(call once,$(all-cflags)) $(call once,$(all-ldflags)))

program-y	:= $(applets-y) $(options-y) $(shared-y)
objects		:= $(program-y:%=$(B)/applets/%.o) \
		   $(link-y:%=$(B)/scripts/link/%.o) \
		   $(core-y:%=$(B)/libcore/engine/%.o) \
		   $(methods-y:%=$(B)/libcore/methods/%.o)
box-objects	:= $(objects) $(B)/applets/box/applets.o $(B)/applets/box/box.o \
		   $(commands-y:%=$(B)/applets/box/%.o)
# One applet alone needs no dispatcher.
single		:= $(if $(word 2,$(applets-y)),,$(applets-y:%=$(B)/%))

# Flags that do not go together can make a program that ends at its first instruction.
# Every box, and every applet, ends by itself without standard input and output.
is-native	:= $(filter $(call processor,$(host)),$(call processor,$(machine)))
starts		= $@ <&- >&- 2>&-; [ $$? != 139 ] || { \
		    echo "box: $@ ends by SIGSEGV as it starts: see CFLAGS and" \
		    "LDFLAGS" >&2; exit 1; }

$(call update,$(B)/link,$(sort $(box-objects)) $(finish))

all: $(B)/box $(single)

$(B)/box $(B)/box.symbols: $(sort $(box-objects))
$(single): $(sort $(objects)) $(B)/applets/box/single.o
$(B)/box $(B)/box.symbols $(single): $(B)/flags $(B)/link $(layout)
$(B)/box $(single): $(finish)
	$(call say,LD,$@)
	$(Q)$(CC) $(all-ldflags) -o $@ $(filter %.o,$^)
	$(if $(finish),$(Q)$(finish) $@)
	$(if $(silent)$(filter-out $(B)/box,$@),,$(if $(is-glibc),@echo "box: some \
	  660 KB of $@ are glibc: with musl (CC=musl-gcc) it is smaller by that"))
	$(if $(is-native),$(Q)$(starts))

# What keeps the compiler from building box, if anything.
compiler	= $(firstword $(CC))
trouble		= $(if $(shell command -v $(compiler)),$(if \
		    $(filter __GNUC__,$(macros)),$(no-header),$(CC) cannot build \
		    box: $(or $(said),set CC= to gcc or clang with a C \
		    library)),$(compiler) is missing: install $(if $(filter \
		    musl-gcc,$(compiler)),the package musl-tools (Debian) or \
		    musl-gcc (Fedora),it)$(comma) or set $(if \
		    $(CROSS_COMPILE),CROSS_COMPILE=,CC=))
# What it says of its flags, or of a C library that is not there.
said		= $(shell $(CC) $(user-cflags) -E -include features.h -include \
		    elf.h -x c /dev/null 2>&1 >/dev/null | head -n 1)

$(B)/%.o: %.c $(B)/flags
	$(if $(trouble),$(error box: $(trouble)))
	$(call say,CC,$@)
	$(Q)$(CC) $(all-cflags) -MMD -MP -c -o $@ $<

# Its loops were measured as they are compiled by themselves. The vectors that its
# functions pass to each other are passed to no other file.
$(B)/applets/cat_format.o: cflags-y := $(filter-out $(lto) \
		   $(smallest),$(cflags-y)) -Wno-psabi

# musl-gcc hides the kernel's headers, which are those of the host: they come
# last, so that they replace none of musl's.
kernel-header	:= $(if $(CONFIG_ZC_RING),io_uring)$(if $(CONFIG_CONFINE),seccomp)
ifneq ($(kernel-header),)
has-header	= $(shell $(CC) $(user-cflags) $(1) -E \
		    -include linux/$(kernel-header).h \
		    -x c /dev/null >/dev/null 2>&1 && echo y)
kernel-headers	:= $(if $(call has-header),,$(if $(filter $(host),$(machine)), \
		     -idirafter /usr/include -idirafter \
		     /usr/include/$(shell $(CC) -print-multiarch 2>/dev/null)))
no-header	:= $(if $(call has-header,$(kernel-headers)),,linux/$(kernel-header).h \
		     is missing: install the kernel's headers for $(machine)$(comma) \
		     or leave out $(if $(CONFIG_ZC_RING),io_uring,CONFINE))
$(B)/applets/common/confine.o $(B)/libcore/engine/ring.o \
  $(B)/lib/engine/ring.o: all-cflags += $(kernel-headers)
endif

# libcore for other programs: not optimized across files, which would tie it to
# one compiler, and position-independent. zc.h says how large a buffer is.
lib-objects	:= $(core-y:%=$(B)/lib/engine/%.o) \
		   $(methods-y:%=$(B)/lib/methods/%.o)
$(shell mkdir -p $(B)/lib/engine $(B)/lib/methods)

.PHONY: libcore.a
libcore.a: $(B)/libcore.a ##	libcore as a library, $B/libcore.a
$(B)/libcore.a: $(lib-objects)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(CROSS_COMPILE)$(AR) rcs $@ $^

$(B)/lib/%.o: libcore/%.c $(B)/flags
	$(call say,CC,$@)
	$(Q)$(CC) $(filter-out $(lto) -fno-pie,$(all-cflags)) -fPIC -MMD -MP \
	  -c -o $@ $<

# A program of one applet is box configured with that applet alone.
.PHONY: standalone
standalone: ##		each applet as a program of its own, in $B/standalone
	$(Q)for one in $(applets-y); do \
	  dir=$(B)/standalone/build-$$one && mkdir -p $$dir && \
	  cp $(KCONFIG) $$dir/.config && \
	  for other in $(filter-out $$one,$(applets-y)); do \
	    [ $$other = $$one ] || sed -i "s/^CONFIG_$$(echo $$other | \
	      tr a-z A-Z)=y/# & is not set/; s/=y is not/ is not/" \
	      $$dir/.config; \
	  done && \
	  $(MAKE) --no-print-directory O=$$dir $$dir/$$one && \
	  ln -f $$dir/$$one $(B)/standalone/$$one || exit; \
	done

# What make would say, were it to compile all again: commands, made into JSON.
.PHONY: compile_commands.json
compile_commands.json: ## each file's command, for editors, in $B
compile_commands.json: $(B)/compile_commands.json
$(B)/compile_commands.json: $(B)/flags $(B)/link Makefile
	$(call say,JSON,$@)
	$(Q)commands=$$($(MAKE) -ns V=1 -W $(B)/flags $(B)/box) && \
	  printf '%s\n' "$$commands" | sed -n -e 's/[\"]/\\&/g' \
	  -e 's|.* -c -o \(.*\) \(.*\)|"file": "\2", "output": "\1",\n "command": "&"|' \
	  -e 's|^"file.*|{"directory": "$(CURDIR)",\n &},|p' | \
	  sed '1s/^/[/; $$s/,$$/]/' >$@

# Sizes: what there is now, and what has grown since the last "make baseline".
.PHONY: size baseline bloat-check
size: ##			text, data, bss and file of each configuration, and what
size: ##			each symbol adds, as Markdown
	$(Q)scripts/size
$(B)/box.symbols:
	$(Q)$(CC) $(filter-out -s,$(all-ldflags)) -o $@ $(filter %.o,$^)
baseline: $(B)/box.symbols ## remember the size of each function
	$(Q)scripts/size functions $< >$(B)/baseline
bloat-check: $(B)/box.symbols ## what has changed since
	$(Q)[ -e $(B)/baseline ] || { \
	  echo "box: no baseline: run make baseline first" >&2; exit 1; }
	$(Q)scripts/size functions $< >$(B)/functions
	$(Q)scripts/size compare $(B)/baseline $(B)/functions

# Speeds, measured on this machine.
.PHONY: bench count bench-document bench-methods
bench: $(B)/box ##		side by side with others (WORKLOADS= ROUNDS= PEERS=)
	$(Q)scripts/bench/compare --box $(B)/box --out $(B)/bench
count: $(B)/box ##		instructions side by side with others (WORKLOADS= PEERS=)
	$(Q)scripts/bench/count --box $(B)/box
bench-document: ##	that report into README.md and docs/BENCHMARKS.md
	$(Q)scripts/bench/document $(B)/bench
bench-methods: ##		the methods side by side, forced (TABLES= ROUNDS= SCALE=)
	$(Q)scripts/bench/methods --out $(B)/bench-methods

-include $(box-objects:.o=.d) $(lib-objects:.o=.d) $(B)/applets/box/single.d

# Installing -----------------------------------------------------------------

bindir		= $(DESTDIR)$(PREFIX)/bin
mandir		= $(DESTDIR)$(PREFIX)/share/man/man1
libdir		= $(PREFIX)/lib
includedir	= $(PREFIX)/include
bashdir		= $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir		= $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir		= $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# Without links the system's cat stays, and so does what is said about it.
programs	= box $(if $(filter none,$(INSTALL_LINKS)),,$(applets-y))
installed	= $(wildcard $(programs:%=completions/$(1)))

.PHONY: install
install: $(B)/box ##	into $$DESTDIR$$PREFIX (INSTALL_LINKS=hard|symbolic|none)
install: ##		with STRIP=n for a debug package to be made of it
	$(if $(filter hard symbolic none,$(INSTALL_LINKS)),,$(error \
	  box: INSTALL_LINKS is hard, symbolic or none))
	$(if $(word 2,x$(bindir)),$(error box: DESTDIR holds a space))
	$(call say,INSTALL,$(bindir)/box)
	$(Q)umask 022; mkdir -p $(bindir) && install -m 755 $(B)/box $(bindir)/box
	$(Q)for a in $(applets-y); do \
	  case $(INSTALL_LINKS) in \
	  symbolic) ln -sf box $(bindir)/$$a ;; \
	  hard) ln -f $(bindir)/box $(bindir)/$$a ;; \
	  esac || exit; \
	done
ifneq ($(MAN),n)
	$(call say,INSTALL,$(mandir))
	$(Q)umask 022; mkdir -p $(mandir) && for c in $(programs); do \
	  install -m 644 $$(find applets -name $$c.1) $(mandir)/$$c.1 || exit; \
	done
endif
ifneq ($(COMPLETIONS),n)
	$(call say,INSTALL,$(bashdir) $(zshdir) $(fishdir))
	$(Q)umask 022; mkdir -p $(bashdir) $(zshdir) $(fishdir) && \
	install -m 644 $(call installed,bash/%) $(bashdir) && \
	install -m 644 $(call installed,zsh/_%) $(zshdir) && \
	install -m 644 $(call installed,fish/%.fish) $(fishdir)
endif

# For a kernel to boot, or to append to another archive, which may have a /bin
# beside /usr/bin.
.PHONY: initramfs
initramfs: $(B)/box ##	box and its links as a cpio archive (INIT=FILE as /init)
	$(call say,CPIO,$(B)/initramfs.cpio)
	$(Q)rm -rf $(B)/initramfs
	$(Q)$(MAKE) -s install DESTDIR=$(B)/initramfs MAN=n COMPLETIONS=n
	$(Q)mkdir $(B)/initramfs/bin && for a in $(applets-y); do \
	  ln -s /usr/bin/box $(B)/initramfs/bin/$$a || exit; \
	done
	$(if $(INIT),$(Q)install -m 755 $(INIT) $(B)/initramfs/init)
	$(Q)scripts/initramfs $(B)/initramfs $(B)/initramfs.cpio bin

# Only links to box are ours to remove, and only texts that are as here.
.PHONY: uninstall
uninstall: ##		what install has put there
	$(call say,REMOVE,$(bindir)/box)
	$(Q)for a in $(applets-y); do \
	  [ ! $(bindir)/$$a -ef $(bindir)/box ] || rm -f $(bindir)/$$a; \
	done
	$(Q)remove() { ! cmp -s $$1 $$2 || rm -f $$2; }; \
	for c in box $(applets-y); do \
	  remove $$(find applets -name $$c.1) $(mandir)/$$c.1; \
	  remove completions/bash/$$c $(bashdir)/$$c; \
	  remove completions/zsh/_$$c $(zshdir)/_$$c; \
	  remove completions/fish/$$c.fish $(fishdir)/$$c.fish; \
	done
	$(Q)rm -f $(bindir)/box

header		= $(DESTDIR)$(includedir)/zc.h
pkgconfig	= $(DESTDIR)$(libdir)/pkgconfig/zc.pc
archive		= $(DESTDIR)$(libdir)/libcore.a
man3		= $(DESTDIR)$(PREFIX)/share/man/man3/zc.3

.PHONY: install-lib uninstall-lib
install-lib: $(B)/libcore.a ##	libcore.a, zc.h, zc.pc and zc(3)
	$(if $(word 2,x$(archive)x$(header)),$(error box: DESTDIR holds a space))
	$(call say,INSTALL,$(archive) $(header))
	$(Q)umask 022; mkdir -p $(dir $(header) $(pkgconfig)) && \
	install -m 644 $(B)/libcore.a $(archive) && \
	rm -f $(pkgconfig) && \
	install -m 644 libcore/zc.h $(header) && \
	sed -e 's|@LIBDIR@|$(libdir)|' -e 's|@INCLUDEDIR@|$(includedir)|' \
	  -e 's|@VERSION@|$(VERSION)|' libcore/zc.pc.in >$(pkgconfig)
ifneq ($(MAN),n)
	$(Q)umask 022; mkdir -p $(dir $(man3)) && \
	install -m 644 libcore/zc.3 $(man3)
endif
uninstall-lib: ##	what install-lib has put there
	$(call say,REMOVE,$(archive) $(header))
	$(Q)rm -f $(archive) $(header) $(pkgconfig) $(man3)

endif

# The rest -------------------------------------------------------------------

.PHONY: dist check check-all clean distclean help
dist: ##			a release of what is committed, in $B/dist
	$(Q)scripts/dist $(VERSION) $(B)/dist
check: ##			the tests (T=cat: of tests/box/cat.bats; N=REGEX: of that name)
	$(Q)N='$(value N)' scripts/check $(T)
check-all: check ##	those and the long ones: every fault in every place
	$(Q)scripts/check tests/long
	$(Q)scripts/simulate DEPTH=2 SECONDS=60 QUIET=1
	$(Q)scripts/faults --all --box build/check/box
	$(Q)scripts/adversary
	$(Q)scripts/adversary soak 600
	$(Q)scripts/sanitize
	$(Q)scripts/coverage
	$(Q)scripts/cross
	$(Q)scripts/check-vm
	$(Q)scripts/check-fs
	$(Q)scripts/system build/check/box

.PHONY: simulate simulate-check adversary soak mutants fuzz
simulate: ##		a kernel of our own (DEPTH= SECONDS= SEED= REPLAY=)
	$(Q)scripts/simulate $(foreach v,DEPTH SECONDS SEED SCENARIO \
	  REPLAY,$(if $($(v)),'$(v)=$($(v))'))
simulate-check: ##	whether its model answers as the real kernel (SECONDS= SEED=)
	$(Q)scripts/simulate check $(foreach v,SECONDS SEED,$(if $($(v)),'$(v)=$($(v))'))
adversary: ##		random ends, and a tracer that meddles (RUNS= SEED=)
	$(Q)scripts/adversary
soak: ##			long pipelines with long streams (SECONDS=)
	$(Q)scripts/adversary soak $(or $(SECONDS),600)
mutants: ##		what the tests notice, line by line (FILES= SAMPLE= SEED= QUICK=)
	$(Q)scripts/install-packages build check long
	$(Q)scripts/mutants $(FILES)
fuzz: ##			inputs that look for new ways, of each kind (SECONDS=)
	$(Q)scripts/install-packages check long
	$(Q)scripts/fuzz $(or $(SECONDS),60)

.PHONY: analyze check-sanitize coverage
analyze: ##		what five tools find in the sources by reading them
	$(Q)scripts/install-packages check long
	$(Q)scripts/analyze
check-sanitize: ##	the tests on a box that notices what C lets pass
	$(Q)scripts/install-packages check long
	$(Q)scripts/sanitize
coverage: ##		which lines the tests run, and which they do not
	$(Q)scripts/install-packages check long
	$(Q)scripts/coverage

.PHONY: oci check-cross check-vm check-fs check-system
oci-for		:= amd64 aarch64 armv7 riscv64 ppc64le s390x i386
oci: ##			a container image for seven processors, build/oci
	$(Q)scripts/install-packages build cross
	$(Q)TESTS= scripts/cross $(oci-for)
	$(Q)scripts/oci build/oci $(foreach \
	  a,$(oci-for),$(a)=build/cross/zig/$(a)/defconfig/box)
check-cross: ##		builds for other processors, tested (ARCHS="s390x mips")
	$(Q)scripts/install-packages build check cross
	$(Q)scripts/cross $(ARCHS)
check-vm: ##		the tests in other kernels and processors, by qemu
	$(Q)scripts/check-vm
check-fs: ##		all file systems that a kernel has, by qemu
	$(Q)scripts/check-fs
check-system: $(B)/box ##	box in a Debian system's place of cat, tee and yes (root)
	$(Q)scripts/install-packages long
	$(Q)scripts/system $(B)/box

clean: ##			remove what was built
	$(Q)rm -rf $(B)/applets $(B)/include $(B)/lib $(B)/libcore $(B)/scripts \
	  $(B)/standalone $(B)/flags $(B)/link $(B)/libcore.a $(B)/box \
	  $(B)/initramfs $(B)/initramfs.cpio $(B)/box.symbols \
	  $(B)/compile_commands.json $(B)/cat $(B)/tee $(B)/yes
distclean: clean ##	remove the configuration too
	$(Q)rm -rf $(if $(O),,build) $(KCONFIG) $(KCONFIG).old
help: ##			this
	@sed -n 's/^\([a-zA-Z0-9.%_-]*\):[^#]*##\t*\(.*\)/  \1\t\2/p' Makefile | \
	  sed 's/\$$B/build/; s/\$$\$$/$$/g; s/^  %/  NAME/' | expand -t 26
