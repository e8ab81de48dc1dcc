#!/bin/bash
# SPDX-License-Identifier: 0BSD
# Makes box the cat, tee and yes of the images that dracut builds. Its directory goes
# into /usr/lib/dracut/modules.d.

# dracut's PATH has no /usr/local/bin, where make install puts box.
find_box() {
	PATH=/usr/local/bin:$PATH type -P box
}

check() {
	find_box >/dev/null || {
		derror "dracut module 'box' will not be installed: box is missing"
		return 1
	}
}

depends() {
	return 0
}

# What is there already is not installed over, by modules that come later.
install() {
	local box name

	box=$(find_box)
	inst_binary "$box" /usr/bin/box
	for name in $("$box" --list); do
		# shellcheck disable=SC2154 # dracut sets it
		ln -sfn box "$initdir/usr/bin/$name"
	done
}
