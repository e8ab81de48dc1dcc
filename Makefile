# SPDX-License-Identifier: 0BSD
# box: "make help" prints the comments after "##" and "#=". Files are listed in
# applets/files.mk and libcore/files.mk; scripts/flags.mk says how they are compiled and
# linked.
#
#= O=DIR		build in DIR, and keep .config and compiler (build)
#= CROSS_COMPILE=PREFIX	compile by PREFIXgcc, for another processor
#= CC=COMMAND		compile by COMMAND (musl-gcc; cc, if that has musl)
#= CFLAGS=FLAGS		more flags for the compiler, after box's own
#= LDFLAGS=FLAGS	more flags for the link
#= STRIP=n		keep symbols and debug information
#= V=1			show the commands
#= DESTDIR=DIR		install below DIR: the root of an image or a package
#= PREFIX=DIR		install in DIR (/usr/local; /usr with DESTDIR)
#= MAN=n		install no manuals
#= COMPLETIONS=n	install no completions of shells
#= INSTALL_LINKS=KIND	hard, symbolic or none (symbolic)

VERSION := 0.1
# Who publishes box, its page, and where its tarballs are: scripts/publish writes
# these into every recipe of packaging/.
MAINTAINER := The box authors <box@box.invalid>
HOMEPAGE := https://box.invalid
SITE := https://box.invalid/releases

# Where things go. O=DIR keeps everything, .config too, in DIR.
B		:= $(or $(O),build)
KCONFIG		:= $(if $(O),$(O)/.config,.config)
# An image or a package has it in /usr; the system's own cat is not replaced.
PREFIX		?= $(if $(DESTDIR),/usr,/usr/local)
INSTALL_LINKS	?= symbolic

# To make and to the shell a name with a space is two, and these say something.
odd		:= ' " ` & ; ( ) { } < > | $$ \ * ? [ ] \#
holds		= $(if $(findstring $(2),$($(1))),$(error box: $(1)=$($(1)) holds $(2)))
$(foreach v,CURDIR O DESTDIR PREFIX,$(if $(word 2,x$($(v))x),$(error \
  box: $(v)=$($(v)) holds a space))$(foreach c,$(odd),$(call holds,$(v),$(c))))
$(foreach c,: %,$(call holds,O,$(c)))
$(foreach v,O DESTDIR PREFIX,$(foreach c,~ -,$(if $(filter $(c)%,$($(v))),$(error \
  box: $(v)=$($(v)) begins with $(c)))))
$(if $(filter-out /%,$(PREFIX)),$(error box: PREFIX=$(PREFIX) does not begin with /))
$(if $(filter $(realpath .),$(realpath $(O))),$(error \
  box: O=$(O) is the directory of the sources))

options		:= $(filter-out --%,-$(firstword $(MAKEFLAGS)))
silent		:= $(findstring s,$(options))
# make -n and make -q write nothing: what is there is all that is known then.
dry		:= $(findstring n,$(options))$(findstring q,$(options))
Q		:= $(if $(V),,@)
say		= $(if $(V)$(silent),,@printf '  %-7s %s\n' '$(1)' '$(2)')

# A file of a text that make knows is out of date when it holds another. make writes it itself.
quote		= '$(subst ','\'',$(1))'
differ		= $(if $(subst x$(strip $(1))x,,x$(strip $(2))x),FORCE)
write		= $(if $(dry),,$(file >$@,$(strip $(1))))

# refuse COMMAND: make ends with the words of that, if it has any. Of a recipe that
# fails, the last line would be make's.
refuse		= $(if $(dry),,$(call stop,$(shell $(1) 2>&1)))
stop		= $(if $(1),$(error $(1)))

# Behind a goal that configures, or takes away, make begins anew.
ifneq ($(and $(filter %config clean distclean,$(MAKECMDGOALS)),$(word 2,$(MAKECMDGOALS))),)
.PHONY: $(MAKECMDGOALS)
.NOTPARALLEL:
$(MAKECMDGOALS):
	@$(MAKE) --no-print-directory $@
else

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: FORCE all
all: ##			box (and with one applet alone, that as a program)

# Configuration ------------------------------------------------------------

config		:= $(B)/include/config/auto.conf
config-files	:= Config.in applets/Config.in libcore/Config.in
kconfig		= $(call refuse,scripts/kconfig $(1) $(B))$(Q)scripts/kconfig $(1) $(B) \
		  $(abspath $(KCONFIG))

menuconfig: ##		choose in a menu (nconfig: another)
oldconfig: ##		ask about options that are new
defconfig: ##		the defaults
%_defconfig: ##		those of configs/NAME_defconfig
olddefconfig: ##		.config, and the defaults for options that are new
savedefconfig: ##	write $B/defconfig: the changed options
allyesconfig: ##	all options (allnoconfig: none; randconfig: any)
$(addsuffix config,menu n old def olddef savedef allyes allno rand): FORCE
	$(call kconfig,$@)
%_defconfig: FORCE
	$(call kconfig,$@)
# Not with make -B, either, if there is one.
$(KCONFIG):
	$(if $(wildcard $@),,$(call kconfig,defconfig))

# Those goals, and these, need no configuration.
needed		:= $(if $(filter-out %config help clean distclean dist check check-all,$(or \
		   $(MAKECMDGOALS),all)),$(config) $(B)/compiler.mk)
ifdef dry
$(if $(needed),$(if $(wildcard $(config)),,$(error \
  box: the first make writes the configuration that make -n needs)))
-include $(needed)
else
include $(needed)
$(config): $(KCONFIG) $(config-files)
	$(call kconfig,sync)
	@touch $@
endif

# Building -------------------------------------------------------------------

include applets/files.mk libcore/files.mk scripts/flags.mk

# The choices reach C as lists, METHOD(rw) and the like.
lists		:= applets options options_off commands methods methods_off version
headers		:= $(lists:%=$(B)/include/%.h)
list		= $(foreach name,$(notdir $(2)),$(1)($(name)))
applets.h	:= $(call list,APPLET,$(applets-y))
options.h	:= $(call list,OPTIONS,$(options-y))
# OPTION(applies_to, letter, name) of each entry in the files that were left out.
options_off.h	:= $(shell sed -n '/\.applies_to = /,/^};/{ /\.applies_to/{s/.*= //;h;}; \
		   /{ .*, .*, "/{s/.*{ \(.*\), .*, "\([a-z-]*\).*/\1, \2/;G; \
		   s/\(.*\)\n\(.*\),/OPTION(\2, \1)/p;}; }' $(options-:%=applets/%.c) /dev/null)
commands.h	:= $(call list,COMMAND,$(commands-y))
methods.h	:= $(call list,METHOD,$(methods-y))
methods_off.h	:= $(call list,METHOD,$(methods-))
version.h	:= \#define BOX_VERSION "$(VERSION)"

.SECONDEXPANSION:
$(headers): $$(call differ,$$(file <$$@),$$($$(@F)))
	$(call write,$($(@F)))

program-y	:= $(applets-y) $(options-y) $(shared-y)
objects		:= $(program-y:%=$(B)/applets/%.o) \
		   $(link-y:%=$(B)/scripts/link/%.o) \
		   $(libcore-y:%=$(B)/libcore/%.o)
box-objects	:= $(objects) $(dispatcher-y:%=$(B)/applets/%.o) \
		   $(commands-y:%=$(B)/applets/%.o)
# One applet alone needs no dispatcher.
single		:= $(if $(word 2,$(applets-y)),,$(applets-y:%=$(B)/%))
single-object	:= $(B)/applets/box/single.o

# abuild says its flags again when it installs: the last of each counts.
once		= $(if $(1),$(call once,$(filter-out $(lastword $(1)),$(1))) $(lastword $(1)))
flags		:= $(CC) $(call once,$(all-cflags)) $(call once,$(all-ldflags))
$(B)/flags: $$(call differ,$$(file <$$@),$$(flags)) | $(headers)
	$(call write,$(flags))

all: $(B)/started

$(B)/box $(B)/box.symbols: $(sort $(box-objects))
$(single): $(sort $(objects)) $(single-object)
# Which objects there are is the configuration's choice, too.
$(B)/box $(B)/box.symbols $(single): $(B)/flags $(B)/include/config.h $(layout) \
  applets/files.mk libcore/files.mk
# A link that is killed leaves none.
$(B)/box $(single): $(finish)
	$(call say,LD,$@)
	$(if $(filter start,$(link-y)),$(call refuse,scripts/link/guesses $(CROSS_COMPILE)nm $(B) $(CC)))
	$(Q)$(CC) $(all-ldflags) -o $@.new $(filter %.o,$^)
	$(if $(finish),$(Q)$(finish) $@.new)
	$(Q)mv $@.new $@
	$(if $(silent)$(filter-out $(B)/box,$@),,$(if $(is-glibc),@echo "box: most \
	  of $@ is glibc: with a compiler for musl it is a tenth as large"))
# Flags that do not go together can make a program that ends at its first instruction.
# Every box, and every applet, ends by itself without standard input and output.
starts		= $(1) <&- >&- 2>&-; [ $$? != 139 ] || { rm $(1); echo "box: $(1) ends by \
		  SIGSEGV as it starts: see CFLAGS and LDFLAGS"; }
$(B)/started: $(B)/box $(single)
	$(if $(is-native),$(foreach program,$^,$(call refuse,$(call starts,$(program)))))
	@touch $@
# The same with names, for nm(1).
$(B)/box.symbols:
	$(Q)$(CC) $(filter-out -s,$(all-ldflags)) -o $@ $(filter %.o,$^)

# compile FLAGS: an object, whose headers are noted beside it.
define compile
	$(call say,CC,$@)
	$(if $(wildcard $(@D)/),,$(Q)mkdir -p $(@D))
	$(Q)$(CC) $(1) -MMD -MP -c -o $@ $<
endef
define archive
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(CROSS_COMPILE)$(AR) rcs $@ $(filter %.o,$(1))
endef
$(B)/%.o: %.c $(B)/flags
	$(call compile,$(all-cflags))

# For tests, each object by itself: libcore as configured, and the parts of libzc, as
# libzc-config has them. Neither is optimized across files, which would tie it to one
# compiler.
lib-objects	:= $(libcore-y:%=$(B)/lib/%.o)
libzc-objects	:= $(libzc-y:%=$(B)/libzc/%.o)
libzc-config	:= libcore/lib
pic-cflags	= $(filter-out -fno-pie,$(all-cflags)) -fno-lto -fPIC
.PHONY: libcore.a libzc-parts.a
libcore.a: $(B)/libcore.a
$(B)/libcore.a: $(lib-objects) $(B)/include/config.h libcore/files.mk
	$(call archive,$^)
$(B)/lib/%.o: libcore/%.c $(B)/flags
	$(call compile,$(pic-cflags))
libzc-parts.a: $(B)/libzc-parts.a
$(B)/libzc-parts.a: $(libzc-objects)
	$(call archive,$^)
$(B)/libzc/%.o: libcore/%.c $(B)/flags
	$(call compile,-I$(libzc-config) $(pic-cflags))
# A box that stands on these parts.
$(B)/libzc-box: $(filter-out $(B)/libcore/%,$(box-objects)) $(B)/libzc-parts.a
	$(call say,LD,$@)
	$(Q)$(CC) $(all-ldflags) -o $@ $^

# libzc for other programs, one object. Its functions alone are global, and those that
# gcc adds to each object for i386, of which a program keeps one. On MIPS all stay so:
# code that has the address of a global symbol from the GOT cannot do with a local one.
libzc-sources	:= $(libzc-y:%=libcore/%.c)
libzc-map	:= libcore/lib/libzc.map
OBJCOPY		?= objcopy
.PHONY: libzc
libzc: $(B)/libzc.a $(B)/libzc.so.1 ##	libcore as a library: $B/libzc.a, libzc.so.1
$(B)/libzc.o: $(libzc-sources) $(wildcard libcore/*.h libcore/*/*.h) $(B)/flags \
  libcore/files.mk
	$(call say,CC,$@)
	$(Q)$(CC) -Ilibcore/lib $(pic-cflags) -r -o $@ $(libzc-sources)
$(B)/libzc.a: $(B)/libzc.o $(libzc-map)
	$(Q)sed -n 's/^\t*\(zc_[a-z0-9_]*\);/\1/p' $(libzc-map) >$@.global
	$(Q)$(if $(is-mips),cp,$(CROSS_COMPILE)$(OBJCOPY) --keep-global-symbols=$@.global \
	  --wildcard --keep-global-symbol='__x86.get_pc_thunk.*') $< $@.o
	$(call archive,$@.o)
	@rm $@.o $@.global
# It names no C library: where off_t has 64 bits in both, what musl-gcc compiles serves
# programs of glibc, too. It calls its own functions, though a program may have others of
# the same names, as from a libzc.a of another version. A compiler that links no shared
# objects leaves an empty file, which is not installed.
$(B)/libzc.so.1: $(B)/libzc.o $(libzc-map)
	$(call say,LD,$@)
	$(Q)$(CC) $(user-cflags) -shared -nostdlib -Wl,-soname,libzc.so.1 \
	  -Wl,--version-script=$(libzc-map) -Wl,-Bsymbolic \
	  $(user-ldflags) -o $@ $< || { \
	  echo "box: $(CC) links no shared objects: there is no libzc.so" >&2; : >$@; }

-include $(patsubst %.o,%.d,$(box-objects) $(lib-objects) $(libzc-objects) \
  $(single-object))

# Installing -----------------------------------------------------------------

bindir		= $(DESTDIR)$(PREFIX)/bin
share		= $(DESTDIR)$(PREFIX)/share
libdir		= $(PREFIX)/lib
includedir	= $(PREFIX)/include
libraries	= $(DESTDIR)$(libdir)

# Texts, each FILE:TARGET. Without links the system's cat stays, and so does what is
# said about it: "man box-cat" shows ours.
programs	= box $(if $(filter none,$(INSTALL_LINKS)),,$(applets-y))
to		= $(foreach file,$(wildcard $(2)),$(file):$(share)/$(1)$(notdir $(file)))
manuals		= $(if $(filter n,$(MAN)),,$(call to,man/man1/$(1),$(2)))
of-applets	= $(call manuals,$(1),$(applets-y:%=applets/%.1))
texts		= $(call manuals,,applets/box/box.1) \
		  $(call of-applets,$(if $(filter none,$(INSTALL_LINKS)),box-)) \
		  $(if $(filter n,$(COMPLETIONS)),, \
		  $(call to,bash-completion/completions/,$(programs:%=completions/bash/%)) \
		  $(call to,zsh/site-functions/,$(programs:%=completions/zsh/_%)) \
		  $(call to,fish/vendor_completions.d/,$(programs:%=completions/fish/%.fish)))
lib-texts	= $(if $(filter n,$(MAN)),,$(call to,man/man3/,libcore/zc.3)) \
		  libcore/zc.h:$(DESTDIR)$(includedir)/zc.h $(B)/libzc.a:$(libraries)/libzc.a \
		  $(B)/zc.pc:$(libraries)/pkgconfig/zc.pc
# install(1) and ln(1) would put a file into a directory of its name.
no-directory	= [ ! -d $(1) ] || { echo "box: $(1) is a directory" >&2; exit 1; }
put		= $(Q)umask 022; for text in $(1); do to=$${text\#*:}; mkdir -p $${to%/*} && \
		  $(call no-directory,$$to) && install -m 644 $${text%%:*} $$to || exit; done
# A text that is not as here is another's.
take		= $(Q)for text in $(1); do to=$${text\#*:}; \
		  ! cmp -s $${text%%:*} $$to || rm -f $$to; done

.PHONY: install uninstall install-lib uninstall-lib
install: $(B)/started ##	box, links, manuals, completions: in $$DESTDIR$$PREFIX
	$(if $(filter hard symbolic none,$(INSTALL_LINKS)),,$(error \
	  box: INSTALL_LINKS is hard, symbolic or none))
	$(call say,INSTALL,$(bindir)/box)
	$(Q)for a in $(programs); do $(call no-directory,$(bindir)/$$a); done
	$(Q)umask 022; mkdir -p $(bindir) && install -m 755 $(B)/box $(bindir)/box
	$(Q)for a in $(wordlist 2,99,$(programs)); do \
	  ln -f $(if $(filter hard,$(INSTALL_LINKS)),$(bindir)/box,-s box) $(bindir)/$$a || \
	  exit; done
	$(call put,$(texts))
# Only links to box are ours to remove, also of applets that were chosen then.
uninstall: applets-y := $(applets-y) $(applets-)
uninstall: ##		what install has put there
	$(call say,REMOVE,$(bindir)/box)
	$(Q)for a in $(applets-y); do \
	  [ ! $(bindir)/$$a -ef $(bindir)/box ] || rm -f $(bindir)/$$a; done
	$(call take,$(texts) $(call of-applets,box-))
	$(Q)rm -f $(bindir)/box

# pkg-config --define-prefix changes the prefix alone.
below-prefix	= $(1:$(PREFIX)/%=$${prefix}/%)
$(B)/zc.pc: libcore/zc.pc.in FORCE
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(call below-prefix,$(libdir))|' \
	  -e 's|@INCLUDEDIR@|$(call below-prefix,$(includedir))|' \
	  -e 's|@VERSION@|$(VERSION)|' $< >$@
install-lib: $(B)/libzc.a $(B)/libzc.so.1 $(B)/zc.pc ##	libzc, zc.h, zc.pc and zc(3)
	$(call say,INSTALL,$(libraries)/libzc.a)
	$(call put,$(lib-texts))
	$(Q)if [ -s $(B)/libzc.so.1 ]; then \
	  install -m 755 $(B)/libzc.so.1 $(libraries) && \
	  ln -sf libzc.so.1 $(libraries)/libzc.so; fi
uninstall-lib: ##	what install-lib has put there
	$(call say,REMOVE,$(libraries)/libzc.a)
	$(Q)rm -f $(addprefix $(libraries)/,libzc.a libzc.so libzc.so.1 pkgconfig/zc.pc) \
	  $(DESTDIR)$(includedir)/zc.h $(share)/man/man3/zc.3

# The rest -------------------------------------------------------------------

configurations	:= default $(patsubst configs/%_defconfig,%,$(wildcard configs/*)) libzc
.PHONY: check check-all html dist clean distclean help
check: ##			the tests (T=cat: in cat.bats; N=REGEX: of that name)
	$(Q)N='$(value N)' scripts/check $(T)
check-all: check ##	those and the long ones: every fault in every place
	$(Q)scripts/check tests/long
	$(Q)for config in $(configurations); do echo CONFIG=$$config; export CONFIG=$$config; \
	  scripts/simulate DEPTH=2 SECONDS=60 QUIET=1 && scripts/adversary || exit; done
	$(Q)scripts/faults --all --box build/check/defconfig/box
	$(Q)scripts/sanitize
	$(Q)scripts/coverage
	$(Q)scripts/check-abi
	$(Q)scripts/cross
	$(Q)scripts/check-vm
	$(Q)scripts/check-fs
html: ##			documents and manuals as HTML, in $B/html
	$(Q)rm -rf $(B)/html
	$(Q)scripts/html $(B)/html
dist: ##			release HEAD in $B/dist (RECORDS= BINARIES=n)
	$(Q)BINARIES='$(BINARIES)' scripts/dist $(VERSION) $(B)/dist $(RECORDS)

# Of applets that were chosen then, and are not now, too.
built		:= applets libcore scripts lib libzc include box started box.symbols libcore.a \
		   libzc-parts.a libzc-box libzc.o libzc.a libzc.so.1 zc.pc compiler.mk flags messages \
		   said tried $(applets-y) $(applets-) \
		   $(addsuffix .new,box $(applets-y) $(applets-)) \
		   compile_commands.json html initramfs initramfs.cpio standalone
# O= may be anybody's directory: scripts/kconfig marks what is box's.
is-ours		= $(if $(O),$(wildcard $(B)/.box),y)
clean: ##			remove what was built, but not .config
	$(if $(is-ours),$(Q)rm -rf $(built:%=$(B)/%))
distclean: clean ##	remove .config too, and all of build without O
	$(if $(is-ours),$(Q)rm -rf $(if $(O),$(B)/.box,build) $(KCONFIG) $(KCONFIG).old)
help: ##			this
	@sed -n 's/^\([a-zA-Z0-9.%_-]*\):[^#]*##\t*\(.*\)/  \1\t\2/p' Makefile | \
	  sed 's/\$$B/build/g; s/\$$\$$/$$/g; s/^  %/  NAME/' | expand -t 26
	@echo; echo "Variables, as in \"make O=out install\", and their defaults:"
	@sed -n 's/^#= \([^\t]*\)\t*/  \1\t/p' Makefile | expand -t 26
	@echo
	@echo "Tools for those who work on box are in scripts/; each has --help."

endif
