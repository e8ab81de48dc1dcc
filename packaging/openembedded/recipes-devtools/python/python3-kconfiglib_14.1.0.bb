# SPDX-License-Identifier: 0BSD
SUMMARY = "Reads and writes Kconfig's configurations"
HOMEPAGE = "https://github.com/ulfalizer/Kconfiglib"
LICENSE = "ISC"
LIC_FILES_CHKSUM = "file://LICENSE.txt;md5=712177a72a3937909543eda3ad1bfb7c"

SRC_URI[sha256sum] = "bed2cc2216f538eca4255a83a4588d8823563cdd50114f86cf1a2674e602c93c"
PYPI_PACKAGE = "kconfiglib"

inherit pypi setuptools3

BBCLASSEXTEND = "native nativesdk"
