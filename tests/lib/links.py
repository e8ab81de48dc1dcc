#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Follows every link of the pages of a directory, from its index: links.py DIR

Prints links that lead nowhere, files that none leads to, and whatever a page would
fetch or run: the status is then 1. Links to other sites are only counted.
"""
import functools
import html.parser
import os
import posixpath
import sys

ACTIVE = {'script', 'link', 'iframe', 'object', 'embed', 'base', 'form'}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.active = [], set(), []
        with open(path, encoding='utf-8') as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.add(attrs.get('id'))
        self.links += [attrs[name] for name in ('href', 'src') if name in attrs]
        if tag in ACTIVE or ':' in attrs.get('src', '') or any(name.startswith('on') for name in attrs):
            self.active.append(tag)

    def handle_data(self, data):
        if '@import' in data or '@font-face' in data or 'url(' in data:
            self.active.append(data)


read = functools.cache(Page)


def main(top):
    os.chdir(top)
    reached, wrong, elsewhere = ['index.html'], [], 0
    for path in reached:
        if not path.endswith('.html'):
            continue
        page = read(path)
        wrong += [f'{path}: has {what}' for what in page.active]
        for link in page.links:
            if ':' in link.split('/')[0]:
                elsewhere += 1
                continue
            target, _, anchor = link.partition('#')
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) \
                if target else path
            if not os.path.isfile(target):
                wrong.append(f'{path}: {link} leads nowhere')
                continue
            if anchor and anchor not in read(target).anchors:
                wrong.append(f'{path}: {link} has no such place')
            if target not in reached:
                reached.append(target)
    files = {posixpath.normpath(posixpath.join(where, name))
             for where, _, names in os.walk('.') for name in names}
    wrong += [f'{path}: no link leads there' for path in sorted(files - set(reached))]
    print('\n'.join(wrong + [f'{read.cache_info().currsize} pages, {elsewhere} links to other sites']))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
