# SPDX-License-Identifier: 0BSD
# The files of libcore/, a line each.

# Ways of moving bytes, zc_method_x, best first.
methods-$(CONFIG_ZC_COPY_FILE_RANGE) += copy_file_range
methods-$(CONFIG_ZC_SPLICE)	+= splice
methods-$(CONFIG_ZC_TEE)	+= tee
methods-$(CONFIG_ZC_VMSPLICE)	+= vmsplice
methods-$(CONFIG_ZC_SENDFILE)	+= sendfile
methods-$(CONFIG_ZC_MMAP)	+= mmap
methods-$(CONFIG_ZC_IO_URING)	+= io_uring
methods-$(CONFIG_ZC_DONTCACHE)	+= dontcache
methods-y			+= rw

# What methods stand on. Where a part is left out, its stub is in a header.
engine-y			+= choose
engine-y			+= endpoint
engine-y			+= failure
engine-y			+= io
engine-y			+= job
engine-$(CONFIG_ZC_LAG)		+= lag
engine-$(CONFIG_ZC_LIBRARY)	+= library
engine-$(CONFIG_ZC_RANGE)	+= pipe
engine-$(CONFIG_ZC_RANGE)	+= range
engine-y			+= repeat
engine-$(CONFIG_ZC_IO_URING)	+= ring
engine-y			+= sink
engine-y			+= sys
engine-y			+= $(if $(CONFIG_SAFE_CALLS),no_)sys_ask
engine-y			+= sys_stat
engine-y			+= wait

# libzc, the same for every configuration: libcore/lib/config.h and methods.h.
libzc-y		:= $(addprefix engine/,choose endpoint failure \
		   io job lag library pipe range repeat \
		   sink sys sys_ask sys_stat wait) \
		   $(addprefix methods/,copy_file_range splice tee vmsplice sendfile rw) \
		   $(addprefix lib/,context move)
