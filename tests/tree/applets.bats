# SPDX-License-Identifier: 0BSD
# applets/: who calls whom, who includes whom, and what is called what.

load ../lib/helpers

# Objects as the compiler leaves each of them, before it optimizes across files.
setup_file() {
	export max tiny
	max=$(built max_defconfig) tiny=$(built tiny_defconfig)
}

# symbols DIR OPTION...: "OBJECT SYMBOL" of the objects of applets/ that were built
# there, by symbol, as nm says with the options. gcc-nm reads what is to be optimized.
symbols() {
	find "$1/applets" -name '*.o' -exec gcc-nm -A "${@:2}" {} + |
		sed -E "s|^$1/applets/||; s|\.o:.* | |" | sort -k 2
}

# calls: "OBJECT OBJECT" where the first wants a symbol of the second, in either
# build.
calls() {
	for dir in "$max" "$tiny"; do
		symbols "$dir" -g --defined-only | grep -v ' main$' >defines
		symbols "$dir" -u >wants
		join -1 2 -2 2 -o 1.1,2.1 wants defines
	done | sort -u
}

@test "no files of applets call each other in a circle" {
	# tsort(1) names the files of a circle, and fails.
	calls >edges
	tsort <edges >order
	[ "$(wc -l <order)" -gt 20 ]
	grep -x 'cat_format cat' edges
	grep -x 'common/message common/quote' edges
}

@test "what applets stand on knows no applet, and applets know no options" {
	calls >edges
	# Rooms from the lowest up: no edge leads up.
	awk '
	BEGIN { rank["common/"] = 1; rank[""] = 2; rank["options/"] = 3
		rank["box/"] = 4 }
	{
		from = $1; to = $2
		sub(/[^\/]*$/, "", from); sub(/[^\/]*$/, "", to)
	}
	rank[from] < rank[to] { print; found = 1 }
	END { exit found }' edges
	# Of two applets' files, none wants the other but those of one applet: its options want
	# it, and all of them what they share.
	sed -n 's/^shared-.*+= \([^/]*\)$/\1/p' "$TOP/applets/files.mk" >shared
	[ "$(<shared)" = tee_file ]
	awk 'NR == FNR { shared[$1] = 1; next }
	function of(file) { sub(/_.*/, "", file); return file }
	$1 ~ /\// || $2 ~ /\// || $1 ~ "^" $2 "_" { next }
	of($1) != of($2) || !($2 in shared) { print; found = 1 }
	END { exit found }' shared edges
}

# includes: "FILE HEADER" for each header of ours that a file of applets/ names,
# but for the lists and numbers that the Makefile generates.
includes() {
	(cd "$TOP/applets"; grep -r --include='*.[ch]' '^#include "' -- *) |
		sed 's|:#include "\(.*\)"| \1|' |
		while read -r file header; do
			[ -e "$max/include/$header" ] || echo "$file $header"
		done
}

@test "files of applets include what DESIGN.md says" {
	includes >got
	[ "$(wc -l <got)" -gt 20 ]
	gnu_cat >allowed <<-'END'
		[a-z_]+\.[ch] (applet|core)\.h
		([a-z]+)(_[a-z_]+)?\.c \1(\2)?\.h
		(common|options)/[a-z_]+\.c applet\.h
		applet\.h kconfig\.h
		box/[a-z_]+\.c box\.h
		box/(box\.h|single\.c) applet\.h
	END
	run ! grep -vxEf allowed got
}

@test "syscall(2) is called by sys.c and its like alone" {
	gnu_cat >allowed <<-'END'
		applets/common/sys.c
		libcore/engine/sys.c
		libcore/engine/sys.h
		libcore/engine/sys_ask.c
	END
	# Comments name syscall(2).
	grep -rlE --include='*.[ch]' 'syscall\(([^2]|$)' "$TOP/applets" "$TOP/libcore" |
		sed "s|^$TOP/||" | sort | diff allowed -
}

@test "applets use those fields of the engine that core.h names" {
	cp -a "$TOP"/{applets,libcore} .
	awk '/^struct zc_(job|[a-z]+_room) \{/ { on = 1 }
		/^};/ { on = 0 }
		on && /^\t[a-z]/ && !/[ *](kind|message_max|no_write|size|id|peer|methods|trace|calls)[,;]/ {
			sub(/^\t/, "\t__attribute__((deprecated)) ")
			n++
		}
		{ print }
		END { exit n < 40 }' libcore/core.h >marked
	mv marked libcore/core.h
	mapfile -t sources < <(cd "$max"; find applets -name '*.o' | sed 's/o$/c/')
	[ "${#sources[@]}" -gt 30 ]
	set -- cc -std=gnu11 -fms-extensions -fsyntax-only -I"$max/include" -Ilibcore -Iapplets
	"$@" "${sources[@]}" 2>log
	run ! grep -E '^applets.*deprecated' log
	# One more would be seen.
	echo 'int f(struct zc_sink *o); int f(struct zc_sink *o) { return o->had; }' \
		>>applets/yes.c
	"$@" applets/yes.c 2>log
	grep -E '^applets/yes.c.*deprecated' log
}

@test "no two functions have one name" {
	# Stubs have the names of what is left out, and a file may have a function in two ways.
	find "$TOP/applets" "$TOP/libcore" -name '*.c' ! -name 'no_*' \
		-exec awk '/^[a-z].*\(/ { at = $0 } /^{/ { print FILENAME ": " at }' {} + |
		sed -E 's/\(.*//; s/: .*[ *]/ /; / main$/d' | sort -u | sed 's/.* //' | sort >names
	[ "$(wc -l <names)" -gt 200 ]
	uniq -d names >twice
	diff /dev/null twice
}

@test "CONFIG_X, x.c and what x.c defines are one name" {
	# Those that are left out are parts of a file: docs/DESIGN.md.
	awk '/^config / { name = $2 }
		/^\tbool/ && name !~ /^ZC_(HANGUP|OWN|CANCEL|PAUSE|PIPE_BUFFERS)$/ { print name }' \
		"$TOP/applets/Config.in" "$TOP/libcore/Config.in" >symbols
	[ "$(wc -l <symbols)" -gt 25 ]
	# The files that the Makefile takes for a symbol, without rooms.
	sed -nE 's/^[a-z]+-.*CONFIG_(\w+)\)\s*(\+= )?/\1 /p' "$TOP"/*/files.mk >files
	find "$max/applets" "$max/libcore/methods" -name '*.o' -exec gcc-nm -Ag --defined-only {} + |
		sed -n 's|.*/\(.*\)\.o:.* [A-Z] |\1 |p' >defines
	awk 'FILENAME == "symbols" { name = tolower($1); sub(/^zc_/, "", name); own[$1] = name; is[name] }
		FILENAME == "files" && $1 in own {
			for (i = 2; i <= NF; i++) {
				sub(/.*\//, "", $i)
				if ($i == own[$1])
					there[$1]
				# What comes with a file, and with no other.
				else if ($i !~ /^(pipe|ring)$/)
					print $1, $i
			}
		}
		FILENAME == "defines" && $1 in is && $2 !~ "^(zc_method_)?" $1 "(_.*)?$"
		END { for (name in own) if (!(name in there)) print name }' symbols files defines >other
	diff /dev/null other
}
