#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Shows pages in headless Chromium: browser.py CHROMIUM DIR WIDTH... [--shots=OUT]

Prints, for each page of DIR and each width in pixels, whatever is wrong: an element that
is wider than the window, text that is cut off, an image that is not shown, a request that
leaves DIR, a message of the console. The status is then 1.
"""
import base64
import glob
import json
import os
import subprocess
import sys
import tempfile

# What a page says of itself. A block that scrolls by itself may be wider.
ASK = """(() => {
  const wide = [], root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    for (const e of document.body.querySelectorAll('*'))
      if (e.getBoundingClientRect().right > root.clientWidth + 1 &&
          !e.closest('pre, table'))
        wide.push(e.tagName + ': ' + e.textContent.slice(0, 40));
  return {
    overflow: root.scrollWidth - root.clientWidth, wide: wide.slice(0, 3),
    images: [...document.images].filter(i => !i.naturalWidth).map(i => i.src),
    text: document.body.innerText.length, size: parseFloat(getComputedStyle(document.body).fontSize),
  };
})()"""


class Browser:
    """By --remote-debugging-pipe: messages on descriptors 3 and 4 that end in NUL."""

    def __init__(self, path, home):
        to_read, self.to = os.pipe()
        self.come, from_write = os.pipe()

        def connect():
            # Beyond 3 and 4 first, so that neither is closed by the other.
            one, two = os.dup2(to_read, 20), os.dup2(from_write, 21)
            os.dup2(one, 3)
            os.dup2(two, 4)

        self.child = subprocess.Popen(
            [path, '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
             f'--user-data-dir={home}', '--hide-scrollbars', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=connect)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.events, self.session = 0, b'', [], None

    def receive(self):
        while b'\0' not in self.rest:
            data = os.read(self.come, 1 << 16)
            if not data:
                sys.exit('the browser has left')
            self.rest += data
        message, _, self.rest = self.rest.partition(b'\0')
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.to, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
                return answer['result']
            self.events.append(answer)

    def wait(self, method):
        while not any(event['method'] == method for event in self.events):
            self.events.append(self.receive())

    def attach(self):
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target,
                                 flatten=True)['sessionId']
        for domain in ('Page', 'Network', 'Runtime', 'Log'):
            self.call(f'{domain}.enable')

    def show(self, url, width):
        self.events = []
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=800,
                  deviceScaleFactor=1, mobile=False)
        self.call('Page.navigate', url=url)
        self.wait('Page.loadEventFired')
        return self.call('Runtime.evaluate', expression=ASK, returnByValue=True)['result']['value']


def problems(browser, top, said):
    if said['overflow'] > 0:
        yield f'is {said["overflow"]} pixels too wide: {said["wide"]}'
    if said['text'] < 100 or said['size'] < 14:
        yield f'has {said["text"]} letters, of {said["size"]} pixels'
    yield from (f'image is not shown: {image}' for image in said['images'])
    for event in browser.events:
        if event['method'] == 'Network.requestWillBeSent':
            url = event['params']['request']['url']
            if not url.startswith(f'file://{top}/'):
                yield f'asks for {url}'
        elif event['method'] in ('Log.entryAdded', 'Runtime.exceptionThrown'):
            yield f'says {event["params"]}'


def main(path, top, *args):
    top = os.path.realpath(top)
    shots = [arg.removeprefix('--shots=') for arg in args if arg.startswith('--shots=')]
    widths = [int(arg) for arg in args if not arg.startswith('--')]
    wrong = 0
    with tempfile.TemporaryDirectory() as home:
        browser = Browser(path, home)
        browser.attach()
        files = sorted(glob.glob(f'{top}/**/*.html', recursive=True))
        for file in files:
            for width in widths:
                said = browser.show(f'file://{file}', width)
                for problem in problems(browser, top, said):
                    print(f'{os.path.relpath(file, top)} at {width}: {problem}')
                    wrong = 1
                for out in shots:
                    shot = browser.call('Page.captureScreenshot')['data']
                    name = os.path.relpath(file, top).replace('/', '-')
                    with open(f'{out}/{name}-{width}.png', 'wb') as image:
                        image.write(base64.b64decode(shot))
        browser.session = None
        browser.call('Browser.close')
        browser.child.wait()
    print(f'{len(files)} pages at {len(widths)} widths')
    return wrong


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
