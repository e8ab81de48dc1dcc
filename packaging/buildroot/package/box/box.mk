################################################################################
#
# box
#
################################################################################

# SPDX-License-Identifier: 0BSD
BOX_VERSION = 0.1
# The tree that this file is in.
BOX_SITE = $(BR2_EXTERNAL_BOX_PATH)/../..
BOX_SITE_METHOD = local
# What was built in it is for another machine.
BOX_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude /build --exclude /.config
BOX_LICENSE = 0BSD
BOX_LICENSE_FILES = LICENSE

# What reads Config.in.
BOX_KCONFIG_DEPENDENCIES = host-python-kconfiglib
BOX_KCONFIG_FILE = $(call qstrip,$(BR2_PACKAGE_BOX_CONFIG))
BOX_KCONFIG_FRAGMENT_FILES = $(call \
	qstrip,$(BR2_PACKAGE_BOX_CONFIG_FRAGMENT_FILES))
# Buildroot takes PATH from the menu's environment, but Kconfiglib is in there.
BOX_KCONFIG_OPTS = PATH=$(BR_PATH)
# box leaves its defconfig in build/.
BOX_KCONFIG_SUPPORTS_DEFCONFIG = NO
BOX_MAKE_ENV = $(TARGET_MAKE_ENV)
# Buildroot strips, and keeps what it has taken away.
BOX_MAKE_OPTS = \
	CC="$(TARGET_CC)" \
	CFLAGS="$(TARGET_CFLAGS)" \
	LDFLAGS="$(TARGET_LDFLAGS)" \
	STRIP=n

define BOX_BUILD_CMDS
	$(BOX_MAKE_ENV) $(MAKE) -C $(@D) $(BOX_MAKE_OPTS)
endef

define BOX_INSTALL_TARGET_CMDS
	$(BOX_MAKE_ENV) $(MAKE) -C $(@D) $(BOX_MAKE_OPTS) \
		PREFIX=/usr DESTDIR=$(TARGET_DIR) INSTALL_LINKS=none \
		MAN=n COMPLETIONS=n install
endef

# Links of BusyBox and coreutils are replaced once all packages are in one directory:
# with per-package directories, the last package by name would have the last word. Where
# /bin is a directory of its own, it comes first.
define BOX_MAKE_LINKS
	for applet in $$(sed -n 's/^CONFIG_\(CAT\|TEE\|YES\)=y/\L\1/p' \
			$(BOX_DIR)/.config); do \
		ln -sf box $(TARGET_DIR)/usr/bin/$$applet || exit; \
		[ -L $(TARGET_DIR)/bin ] || \
			ln -sf ../usr/bin/box $(TARGET_DIR)/bin/$$applet || exit; \
	done
endef
BOX_TARGET_FINALIZE_HOOKS += BOX_MAKE_LINKS

$(eval $(kconfig-package))
