################################################################################
#
# python-kconfiglib
#
################################################################################

# SPDX-License-Identifier: 0BSD
PYTHON_KCONFIGLIB_VERSION = 14.1.0
PYTHON_KCONFIGLIB_SOURCE = kconfiglib-$(PYTHON_KCONFIGLIB_VERSION).tar.gz
PYTHON_KCONFIGLIB_SITE = https://files.pythonhosted.org/packages/59/29/d557718c84ef1a8f275faa4caf8e353778121beefbe9fadfa0055ca99aae
PYTHON_KCONFIGLIB_SETUP_TYPE = setuptools
PYTHON_KCONFIGLIB_LICENSE = ISC
PYTHON_KCONFIGLIB_LICENSE_FILES = LICENSE.txt

$(eval $(host-python-package))
