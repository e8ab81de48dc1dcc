# SPDX-License-Identifier: 0BSD
# Recipes of packaging/, where their build systems are missing. tests/long/packaging.bats has
# these.

load ../lib/helpers
CONFIGURATION=

# openwrt CHOICE: what OpenWrt's recipe configures for that, in tree/.config.
openwrt() {
	make -s -f "$TOP/packaging/openwrt/box/Makefile" TOPDIR="$PWD/openwrt" \
		INCLUDE_DIR="$PWD/openwrt" PKG_BUILD_DIR="$PWD/tree" \
		CONFIG_BOX_CONFIG="\"$1\"" configure
}

@test "OpenWrt's recipe builds the configuration that is chosen" {
	needs_tool make
	mkdir openwrt
	# As OpenWrt has them.
	printf '%s\n' 'qstrip = $(strip $(subst ",,$(1)))' 'SED := sed -i -e' >openwrt/rules.mk
	printf 'define BuildPackage\nconfigure:\n$(Build/Configure)\nendef\n' >openwrt/package.mk
	mkdir tree
	ln -s "$TOP"/{Config.in,Makefile,applets,configs,libcore,scripts} tree
	for config in device container default; do
		openwrt $config
		goal=${config}_defconfig
		make -s -C tree O="$PWD/wanted" "${goal#default_}"
		run diff wanted/.config tree/.config
		[ "$(grep '^[<>]' <<<"$output")" = "< # CONFIG_OWN_LEVEL is not set
> CONFIG_OWN_LEVEL=y" ]
	done
	cp tree/configs/tiny_defconfig mine
	openwrt "$PWD/mine"
	grep -x 'CONFIG_OWN_LEVEL=y' tree/.config
	grep -x '# CONFIG_LONG_OPTS is not set' tree/.config
	run ! openwrt nosuch
	# Its menu begins with device.
	[ "$(sed -n '/^define Package.box.config/,/^endef/s/^		default //p' \
		"$TOP/packaging/openwrt/box/Makefile")" = '"device"' ]
}

@test "every recipe says what the Makefile says of version and publisher, as examples do" {
	local say=(packaging README.md docs/IMAGES.md docs/RELEASING.md) VERSION

	VERSION=$(version)
	copy_tree two applets completions configs libcore tests
	mkdir -p wanted/docs
	two/scripts/publish
	for name in "${say[@]}"; do
		diff -r "$TOP/$name" "two/$name"
		cp -r "two/$name" "wanted/$name"
	done
	mv wanted/packaging/openembedded/recipes-core/box/box_{$VERSION,7.8.9}.bb
	others=(-e "s/\\(\\b\\|_\\)${VERSION//./\\.}\\b/\\17.8.9/g" -e 's|The box authors <box@box.invalid>|A \& B <a@b.example>|'
		-e 's|https://box.invalid/releases|https://files.example|'
		-e 's|https://box.invalid|https://b.example/box?a\&b|')
	find wanted two/Makefile -type f -exec sed -i "${others[@]}" {} +
	two/scripts/publish
	for name in "${say[@]}"; do
		diff -r "wanted/$name" "two/$name"
	done
	run ! grep -rn --exclude=README.md '\.invalid' wanted
	# No other document has it.
	run ! grep -rnE "(box|oci|library)[ :_/-]$VERSION\b" two/docs two/*.md
}
