#!/bin/bash
# SPDX-License-Identifier: 0BSD
# Makes box the cat, tee and yes of the images that dracut builds. Its directory goes
# into /usr/lib/dracut/modules.d.

check() {
	require_binaries box
}

depends() {
	return 0
}

# What is there already is not installed over, by modules that come later.
install() {
	local name

	inst_binary "$(command -v box)" /usr/bin/box
	for name in $(box --list); do
		# shellcheck disable=SC2154 # dracut sets it
		ln -sfn box "$initdir/usr/bin/$name"
	done
}
