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

# All objects: what methods stand on, and the methods. Where a part is left out, its stub
# is in a header.
libcore-y			+= engine/choose
libcore-y			+= engine/endpoint
libcore-y			+= engine/failure
libcore-y			+= engine/io
libcore-y			+= engine/job
libcore-$(CONFIG_ZC_LAG)	+= engine/lag
libcore-$(CONFIG_ZC_RANGE)	+= engine/pipe
libcore-$(CONFIG_ZC_RANGE)	+= engine/range
libcore-y			+= engine/repeat
libcore-y			+= engine/sink
libcore-y			+= engine/sys
libcore-y			+= engine/$(if $(CONFIG_SAFE_CALLS),no_)sys_ask
libcore-y			+= engine/sys_stat
libcore-y			+= engine/wait
libcore-$(CONFIG_ZC_LIBRARY)	+= lib/library
libcore-$(CONFIG_ZC_IO_URING)	+= methods/ring
libcore-y			+= $(methods-y:%=methods/%)

# libzc, the same for every configuration: libcore/lib/config.h and methods.h.
libzc-y		:= $(addprefix engine/,choose endpoint failure \
		   io job lag pipe range repeat \
		   sink sys sys_ask sys_stat wait) \
		   $(addprefix methods/,copy_file_range splice tee vmsplice sendfile rw) \
		   $(addprefix lib/,context library move)
