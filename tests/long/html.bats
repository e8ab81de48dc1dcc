# SPDX-License-Identifier: 0BSD
# make html: the pages as a browser shows them, on a telephone and on a desk.

load ../lib/helpers

setup_file() {
	unset MAKEFLAGS MFLAGS MAKELEVEL O V
	file_needs mandoc python:markdown_it chromium-headless-shell || return 0
	make -s -C "$TOP" O="$BATS_FILE_TMPDIR" html
}

setup() {
	common_setup
	cp -r "$BATS_FILE_TMPDIR/html" .
}

browser() {
	timeout 300 "$LIB/browser.py" "$(command -v chromium-headless-shell)" html 375 1280
}

@test "every page fits a window of 375 and of 1280 pixels, and asks for nothing else" {
	run -0 browser
	[ "${#lines[@]}" = 1 ]
	[[ $output = *" pages at 2 widths" ]]
}

@test "a page that is too wide, an image that is lost and a request are found" {
	rm html/docs/benchmarks.svg
	sed -i 's|</nav>|</nav><div style="width: 900px">wide</div>|' html/docs/SIZE.html
	sed -i 's|</nav>|</nav><img src="file:///proc/none.png">|' html/man/tee.1.html
	run -1 browser
	grep 'docs/SIZE.html at 375: is [0-9]* pixels too wide' <<<"$output"
	grep 'docs/BENCHMARKS.html at 1280: image is not shown' <<<"$output"
	grep 'man/tee.1.html at 375: asks for file:///proc/none.png' <<<"$output"
	run ! grep 'docs/SIZE.html at 1280' <<<"$output"
}
