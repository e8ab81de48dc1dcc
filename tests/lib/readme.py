#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""The commands in README.md, or in PAGE=, word for word.

readme.py headings
    the headings below which there are blocks of commands.
readme.py commands HEADING
    the commands in the blocks below that heading, as a script.
readme.py session HEADING
    runs those that a block there shows after "$ ", on a terminal, prints what comes
    out, as the page would have it, and fails if that is not what the page has. Numbers
    that another machine or another time changes may differ.
readme.py examples PAGE [SECTION]
    the commands in the EXAMPLES of a manual, or in another section, as a script.
"""
import difflib
import os
import re
import sys
import termios
from subprocess import DEVNULL

import ends
from ends import channel, finish, start, take

PAGE = os.environ.get('PAGE', 'README.md')
WIDTH = 80
# What differs from run to run: calls, rates, times, bars on their way, and how much a
# second was enough for.
VARIES = re.compile(r'\d+(?= calls)|\d+\.\d [KMG]iB/s *|\d+:\d\d:\d\d|^\d+(?:\.\d)?[MGT]$')


def blocks():
    """Pairs of a heading and the lines of an indented block below it."""
    found, heading, block = [], '', None
    with open(PAGE, encoding='utf-8') as file:
        # A fenced block is of another language.
        for line in re.sub(r'^```.*?^```$', '', file.read(), flags=re.M | re.S).splitlines(True):
            if line.startswith('    '):
                if block is None:
                    block = []
                    found.append((heading, block))
                block.append(line[4:])
            elif line.strip():
                block = None
                if line.startswith('#'):
                    heading = line.strip('#\n ')
            elif block is not None:
                block.append('\n')
    return found


def below(heading):
    lines = [line for at, block in blocks() if at == heading for line in block]
    if not lines:
        sys.exit(f'{PAGE} has no commands below {heading!r}')
    return lines


def on_terminal(command):
    """What a terminal shows in the end."""
    ends.CASE[:] = [command]
    theirs, ours = channel('tty')
    termios.tcsetwinsize(theirs, (24, WIDTH))
    child = start(['bash', '-c', command], stdin=DEVNULL, stdout=theirs, stderr=theirs)
    shown = b''.join(take(ours))
    finish(child)
    lines = shown.decode().replace('\r\n', '\n').split('\n')[:-1]
    return [line.split('\r')[-1].rstrip() for line in lines]


def session(heading):
    want = [line.rstrip() for line in below(heading) if line.strip()]
    got = []
    for line in want:
        if line.startswith('$ '):
            got += [line, *on_terminal(line[2:])]
    print('\n'.join(f'    {line}' for line in got))
    same = [[VARIES.sub('N', line) for line in lines] for lines in (want, got)]
    if same[0] != same[1]:
        sys.exit('\n'.join(difflib.unified_diff(*same, PAGE, 'now', lineterm='')))


def examples(page, section='EXAMPLES'):
    with open(page, encoding='utf-8') as file:
        text = re.search(rf'^\.Sh {section}\n(.*?)^\.Sh ', file.read(), re.M | re.S)[1]
    for command in re.findall(r'^\.Dl [$#] (.*)$', text, re.M):
        print(command.replace('\\e', '\\').replace('\\&', ''))


def main(what, *args):
    if what == 'headings':
        print('\n'.join(dict.fromkeys(heading for heading, _ in blocks())))
    elif what == 'commands':
        print(''.join(below(*args)), end='')
    elif what == 'session':
        session(*args)
    else:
        examples(*args)


if __name__ == '__main__':
    ends.drive(main, *sys.argv[1:])
