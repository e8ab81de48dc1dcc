# SPDX-License-Identifier: 0BSD
# A part of what scripts/cross does: "make check-all".

load ../lib/helpers

# box FLAG...: ./box, a program that is linked so.
box() {
	echo 'int main(void) { static int n; return n++; }' | cc "$@" -x c -o box -
}

# finds WHAT PAGE: what is wrong with ./box, in one line.
finds() {
	run -1 "$LIB/elf.py" check box 62 64 little "$2"
	[ "${#lines[@]}" = 1 ]
	[[ $output = *"$1"* ]]
}

@test "a program that is written and run at once, or shares pages, is found" {
	needs_tool python:elftools
	[ "$(uname -m)" = x86_64 ] || skip "the machine is no x86-64"
	box -static -no-pie
	"$LIB/elf.py" check box 62 64 little 4096
	run -1 "$LIB/elf.py" check box 22 64 big 4096
	[[ $output = *"is for (62, 64, 'little')"* ]]
	finds "is not aligned" 65536
	# A processor of which pyelftools has no name.
	printf '\002\001' | dd of=box bs=1 seek=18 conv=notrunc status=none
	"$LIB/elf.py" check box 258 64 little 4096
	box -static -no-pie -Wl,-z,max-page-size=65536
	"$LIB/elf.py" check box 62 64 little 65536
	box -static -no-pie -Wl,-z,execstack
	finds "written and run" 4096
	box -static -no-pie -nostdlib -Wl,-N
	finds "written and run" 4096
	box
	finds "is not static" 4096
	echo '__asm__(".section .pdr; .long 0");' >more.c
	box -static -no-pie -x c more.c
	finds "has .pdr" 4096
}

@test "s390x, big-endian, passes tests under qemu-user, and has a note of the package if told" {
	needs_tool clang qemu-s390x /usr/s390x-linux-gnu/lib/libc.a python:elftools
	# What is built here is not what scripts/cross has built.
	copy_tree tree
	# In a home that is closed to others, as /root is.
	chmod 700 tree
	cd tree
	export COMPILER=clang
	TESTS="cat cat_format large tee_error yes" \
		FILTER='GNU cat|across 4 GiB|lost|every byte|awkward|named likewise' outside \
		env -u BOX_CONFIG scripts/cross s390x >table
	[[ $(tail -n 1 table) = "| s390x | 64, big | "*" | qemu-s390x | "* ]]
	run ! grep -q '"name":"box"' build/cross/clang/s390x/tiny/box
	CONFIGS=tiny PACKAGE=y TESTS='' run -0 --separate-stderr scripts/cross s390x
	[ "${lines[0]}" = "| processor | bits, order | tiny | run by | tests of tiny |" ]
	[[ ${lines[2]} =~ ^"| s390x | 64, big | "[0-9]+" | not here | - |"$ ]]
	# The note is found by its section, and by a segment. A C library's objects may have
	# one of their own before it.
	/usr/bin/python3 - build/cross/clang/s390x/tiny/box "$(version)" <<-'END'
		import json, struct, sys
		from elftools.elf.elffile import ELFFile
		elf = ELFFile(open(sys.argv[1], 'rb'))
		section = elf.get_section_by_name('.note.package').data()
		note = section[section.rindex(struct.pack('>I', 0xcafe1a7e) + b'FDO\0') - 8:]
		assert note[:8] == struct.pack('>2I', 4, len(note[16:].rstrip(b'\0')) + 1)
		assert json.loads(note[16:].rstrip(b'\0')) == {
		    'type': 'generic', 'name': 'box', 'version': sys.argv[2], 'architecture': 's390x'}
		assert any(note in s.data() for s in elf.iter_segments() if s['p_type'] == 'PT_NOTE')
	END
}
