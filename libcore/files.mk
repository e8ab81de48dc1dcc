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
methods-$(CONFIG_ZC_IO_URING_SPLICE) += io_uring_splice
methods-$(CONFIG_ZC_DONTCACHE)	+= dontcache
methods-y			+= rw

# What methods stand on. Where a part is left out, its stub is there.
without			= $(if $(CONFIG_$(1)),,y)
engine-$(CONFIG_ZC_BOUNDS)	+= bounds
engine-$(call without,ZC_BOUNDS) += no_bounds
engine-$(CONFIG_ZC_CANCEL)	+= cancel
engine-$(call without,ZC_CANCEL) += no_cancel
engine-y			+= choose
engine-y			+= copy
engine-y			+= endpoint
engine-y			+= failure
engine-y			+= fan
engine-y			+= grow
engine-y			+= io
engine-y			+= offer
engine-y			+= sys
engine-y			+= sys_stat
engine-$(CONFIG_SAFE_CALLS)	+= no_sys_ask
engine-$(call without,SAFE_CALLS) += sys_ask
engine-y			+= wait
engine-$(CONFIG_ZC_RANGE)	+= flush
engine-$(CONFIG_ZC_RANGE)	+= range
engine-$(CONFIG_ZC_RANGE)	+= relay
engine-$(call without,ZC_RANGE)	+= no_range
engine-$(CONFIG_ZC_HANGUP)	+= hangup
engine-$(call without,ZC_HANGUP) += no_hangup
engine-$(CONFIG_ZC_RESUME)	+= resume
engine-$(CONFIG_ZC_PIPE_BUFFERS) += pipe_buffers
engine-$(call without,ZC_PIPE_BUFFERS) += no_pipe_buffers
engine-$(CONFIG_ZC_RING)	+= ring
engine-$(call without,ZC_RING)	+= no_ring
engine-$(CONFIG_ZC_TEE)		+= queue
engine-$(call without,ZC_TEE)	+= no_queue
engine-$(CONFIG_ZC_OWN)		+= own
engine-$(call without,ZC_OWN)	+= no_own
engine-$(CONFIG_ZC_LAG)		+= lag
engine-$(call without,ZC_LAG)	+= no_lag

# libzc, the same for every configuration: libcore/lib/config.h and methods.h.
libzc-y		:= $(addprefix engine/,bounds cancel choose copy endpoint failure fan \
		   flush grow hangup io lag offer own pipe_buffers queue range relay \
		   resume no_ring sys sys_ask sys_stat wait) \
		   $(addprefix methods/,copy_file_range splice tee vmsplice sendfile rw) \
		   $(addprefix lib/,context move)
