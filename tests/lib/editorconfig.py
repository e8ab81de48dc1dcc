#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Prints which files are not as .editorconfig says, and which names in it no file
has; then status 1. Standard input has the files' names, each ended by a NUL.
"""
import configparser
import fnmatch
import os
import sys


def patterns(section):
    """[{*.py,oci}] is two."""
    return section.strip('{}').split(',')


def wrong(lines, style):
    """The number of the first line that is indented the other way, or None."""
    other = '\t' if style == 'space' else ' ' * 8
    for number, line in enumerate(lines, 1):
        if line.startswith(other):
            return number
    return None


def main():
    with open('.editorconfig', encoding='utf-8') as file:
        config = configparser.ConfigParser(delimiters='=', comment_prefixes='#')
        config.read_string('[top]\n' + file.read())
    files = sys.stdin.read().split('\0')[:-1]
    said = []
    for section in config.sections()[1:]:
        for pattern in patterns(section):
            mine = [name for name in files
                    if fnmatch.fnmatch(os.path.basename(name), pattern)]
            if not mine:
                said.append(f'.editorconfig: no file is {pattern}')
            style = config[section].get('indent_style')
            for name in mine if style else []:
                with open(name, encoding='utf-8') as file:
                    line = wrong(file, style)
                if line:
                    said.append(f'{name}:{line}: is not indented by {style}')
    print('\n'.join(said))
    sys.exit(bool(said))


if __name__ == '__main__':
    main()
