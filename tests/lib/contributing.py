#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Does what CONTRIBUTING.md in this directory says below a heading, block by
block, and prints in how many places: contributing.py HEADING
"""
import re
import sys

BLOCK = re.compile(r'^```\w+ (file|into)=(\S+)(?: after=(.*))?\n((?s:.*?))^```$', re.M)


def insert(name, after, body):
    with open(name, encoding='utf-8') as file:
        lines = file.readlines()
    at = [i for i, line in enumerate(lines) if line.startswith(after)]
    if len(at) != 1:
        sys.exit(f'{name}: {len(at)} lines begin with {after!r}')
    lines.insert(at[0] + 1, body)
    with open(name, 'w', encoding='utf-8') as file:
        file.writelines(lines)


def main(heading):
    with open('CONTRIBUTING.md', encoding='utf-8') as file:
        sections = re.split(r'^## ', file.read(), flags=re.M)
    text = next(section for section in sections if section.startswith(heading))
    blocks = BLOCK.findall(text)
    for how, name, after, body in blocks:
        if how == 'file':
            with open(name, 'x', encoding='utf-8') as file:
                file.write(body)
        else:
            insert(name, after, body)
    print(len(blocks))


if __name__ == '__main__':
    main(sys.argv[1])
