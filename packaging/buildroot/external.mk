# SPDX-License-Identifier: 0BSD
include $(sort $(wildcard $(BR2_EXTERNAL_BOX_PATH)/package/*/*.mk))
