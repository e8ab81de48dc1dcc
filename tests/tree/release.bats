# SPDX-License-Identifier: 0BSD
# make dist, and the versions that packages say.

load ../lib/helpers
load ../lib/release

@test "a release says what is in it" {
	# shellcheck disable=SC2153 # release.bash sets it
	[ "$(<"$BATS_FILE_TMPDIR/said")" = "$dist/$NAME.tar.gz" ]
	[ "$(<"$BATS_FILE_TMPDIR/warned")" = \
		"box: no binaries without zig: scripts/install-packages cross" ]
	[ "$(ls "$dist" | tr '\n' ' ')" = \
		"$NAME.spdx.json $NAME.tar.gz $NAME.tar.gz.sha256 \
$NAME.tar.xz $NAME.tar.xz.sha256 " ]
	for sum in "$NAME.tar.gz.sha256" "$NAME.tar.xz.sha256"; do
		env -C "$dist" sha256sum -c --quiet "$sum"
	done
	cmp <(gzip -dc "$dist/$NAME.tar.gz") <(xz -dc "$dist/$NAME.tar.xz")
	# All that is committed is in it, root's, and of one time.
	tar --numeric-owner -tvf "$dist/$NAME.tar.gz" >listed
	run ! grep -v ' 0/0 ' listed
	[ "$(awk '{ print $4, $5 }' listed | sort -u | wc -l)" = 1 ]
	sed -n "s|.* $NAME/\(.*[^/]\)\$|\1|p" listed | sort >files
	{
		git -C "$one" ls-files
		echo measurements/counted.md
	} | sort | diff <(grep -v ^html/ files) -
	# So are the documents as HTML.
	mkdir unpacked
	tar -C unpacked -xf "$dist/$NAME.tar.gz"
	"$LIB/links.py" "unpacked/$NAME/html"
	cmp "unpacked/$NAME/measurements/counted.md" "$records"
	# The document names these files, with their sums, kinds and licences.
	python - "$dist/$NAME.spdx.json" >kinds 3>sums <<-'END'
		import json, sys
		sums = open(3, "w")
		for file in json.load(open(sys.argv[1]))["files"]:
		    print(file["fileName"], *file["fileTypes"], *file["licenseInfoInFiles"])
		    for sum in file["checksums"]:
		        if sum["algorithm"] == "SHA256":
		            print(sum["checksumValue"] + "  " + file["fileName"], file=sums)
	END
	for line in "LICENSE DOCUMENTATION 0BSD" "README.md DOCUMENTATION NONE" \
		"applets/cat.1 DOCUMENTATION 0BSD" "applets/cat.c SOURCE 0BSD" \
		"Makefile SOURCE 0BSD" "html/man/tee.1.html DOCUMENTATION NONE"; do
		grep -qFx "./$line" kinds
	done
	[ "$(wc -l <sums)" = "$(wc -l <files)" ]
	env -C "unpacked/$NAME" sha256sum -c --quiet "$PWD/sums"
}

@test "a release is of what is committed in a clone" {
	git clone -q "$one" two
	run -2 make -s -C two dist RECORDS=build/none.md
	[ "${lines[0]}" = "box: there is no build/none.md" ]
	echo >>two/README.md
	run -2 make -s -C two dist
	[ "${lines[0]}" = \
		"box: commit first: what is not committed is not released" ]
	rm -rf two/.git
	run -2 make -s -C two dist
	[ "${lines[0]}" = "box: make dist needs a clone with git" ]
}

@test "every recipe says what the Makefile says of version and publisher, as examples do" {
	local say=(packaging README.md docs/IMAGES.md docs/RELEASING.md)

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
