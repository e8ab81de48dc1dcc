# SPDX-License-Identifier: 0BSD
SUMMARY = "cat, tee and yes in one small static program"
HOMEPAGE = "https://box.invalid"
SECTION = "base"
LICENSE = "0BSD"
LIC_FILES_CHKSUM = "file://LICENSE;md5=4a1f707c6bf4aee6e1f133dfeef96f02"

# What "make dist" leaves, in a directory box/ beside this file.
SRC_URI = "file://box-${PV}.tar.gz"

DEPENDS = "python3-kconfiglib-native"

inherit python3native update-alternatives

# box links statically, and by itself as the configuration says. It is the
# packaging that strips: an environment's STRIP is a command.
EXTRA_OEMAKE = "STRIP=n 'CC=${CC}' 'CFLAGS=${CFLAGS}' 'LDFLAGS=${LDFLAGS}'"

do_configure() {
	oe_runmake distro_defconfig
}

do_install() {
	oe_runmake install PREFIX=${prefix} DESTDIR=${D} INSTALL_LINKS=none
}

PACKAGES =+ "${PN}-completions"
FILES:${PN}-completions = " \
    ${datadir}/bash-completion \
    ${datadir}/fish \
    ${datadir}/zsh \
"

# Above BusyBox's 50 and coreutils' 100.
ALTERNATIVE:${PN} = "cat tee yes"
ALTERNATIVE_LINK_NAME[cat] = "${base_bindir}/cat"
ALTERNATIVE_TARGET = "${bindir}/box"
ALTERNATIVE_PRIORITY = "110"
