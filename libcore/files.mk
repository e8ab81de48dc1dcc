# SPDX-License-Identifier: 0BSD
# The files of libcore/, a line each.

# Ways of moving bytes, zc_method_x, best first.
methods-$(CONFIG_ZC_REFLINK)	+= reflink
methods-$(CONFIG_ZC_SPLICE)	+= splice
methods-$(CONFIG_ZC_TEE)	+= tee
methods-$(CONFIG_ZC_VMSPLICE)	+= vmsplice
methods-$(CONFIG_ZC_SENDFILE)	+= sendfile
methods-$(CONFIG_ZC_MMAP)	+= mmap
methods-$(CONFIG_ZC_IO_URING)	+= io_uring
methods-$(CONFIG_ZC_IO_URING_SPLICE) += io_uring_splice
methods-$(CONFIG_ZC_DONTCACHE)	+= dontcache
methods-y			+= rw

# What methods stand on.
engine-y			+= copy
engine-y			+= endpoint
engine-y			+= failure
engine-y			+= fan_out
engine-y			+= grow
engine-y			+= io
engine-y			+= sys
engine-y			+= sys_stat
engine-y			+= wait
engine-$(CONFIG_ZC_RANGE)	+= flush
engine-$(CONFIG_ZC_RANGE)	+= range
engine-$(CONFIG_ZC_RANGE)	+= relay
engine-$(CONFIG_ZC_HANGUP)	+= hangup
engine-$(CONFIG_ZC_PIPE_BUFFERS) += pipe_buffers
engine-$(CONFIG_ZC_RING)	+= ring
engine-$(CONFIG_ZC_TEE)		+= slack
engine-$(CONFIG_ZC_LAG)		+= lag
