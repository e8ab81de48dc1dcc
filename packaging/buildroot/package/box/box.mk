# SPDX-License-Identifier: 0BSD
################################################################################
#
# box
#
################################################################################

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
# Links of theirs are replaced.
ifeq ($(BR2_PACKAGE_BUSYBOX),y)
BOX_DEPENDENCIES += busybox
endif
ifeq ($(BR2_PACKAGE_COREUTILS),y)
BOX_DEPENDENCIES += coreutils
endif

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

# Where /bin is a directory of its own, it comes first, and holds their cat.
define BOX_INSTALL_TARGET_CMDS
	$(BOX_MAKE_ENV) $(MAKE) -C $(@D) $(BOX_MAKE_OPTS) \
		PREFIX=/usr DESTDIR=$(TARGET_DIR) install
	[ -L $(TARGET_DIR)/bin ] || ln -sf ../usr/bin/box $(TARGET_DIR)/bin/cat
endef

$(eval $(kconfig-package))
