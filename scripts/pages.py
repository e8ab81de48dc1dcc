# SPDX-License-Identifier: 0BSD
"""The documents, the manuals and the help of Kconfig as HTML, for scripts/html and
scripts/prose."""
import glob
import html
import re
import subprocess

PATTERNS = ('*.md', 'docs/*.md', 'packaging/*.md', 'applets/*.1', 'applets/*/*.1', 'libcore/*.3')


def paths(*more):
    """All of them, below the current directory."""
    return sorted(path for pattern in PATTERNS + more for path in glob.glob(pattern))


def anchor(heading):
    """As forges make it of a heading."""
    return re.sub(r'[^\w -]', '', heading.lower()).replace(' ', '-')


def markdown(path):
    from markdown_it import MarkdownIt      # which --help does without

    with open(path, encoding='utf-8') as file:
        text = file.read()
    parser = MarkdownIt('commonmark').enable('table')
    tokens = parser.parse(text)
    for token, inner in zip(tokens, tokens[1:]):
        if token.type == 'heading_open':
            token.attrSet('id', anchor(inner.content.replace('`', '')))
    return parser.renderer.render(tokens, parser.options, {})


def manual(path):
    return subprocess.run(['mandoc', '-T', 'html', '-O', 'fragment', path], check=True,
                          capture_output=True, encoding='utf-8').stdout


def kconfig(path):
    with open(path, encoding='utf-8') as file:
        helps = re.findall(r'^\thelp\n((?:\t  .*\n|\n)+)', file.read(), re.M)
    return ''.join(f'<p>{html.escape(part)}</p>' for text in helps
                   for part in re.split(r'\n\s*\n|\n\s+- ', text))


def page(path):
    if path.endswith('.md'):
        return markdown(path)
    return kconfig(path) if path.endswith('.in') else manual(path)
