#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Moves bytes in, out of and within every file system that a guest can have.

For tests/guest/init: formats and mounts each in turn, below /fs, and says as
TAP which of the checks have passed. A file system that the kernel or a tool
lacks is skipped by name.
"""
import contextlib
import errno
import os
import random
import shutil
import subprocess
import sys
import time

CAT, TEE = '/usr/bin/cat', '/usr/bin/tee'
ALL = '/guest/max/box'
DATA = random.Random(1).randbytes(3000001)
MiB = 1 << 20
HERE = os.path.dirname(os.path.abspath(__file__))
SERVERS = []


def sh(command):
    """Runs what sets a file system up; what it says is shown if it fails."""
    done = subprocess.run(['bash', '-ec', command], check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise OSError(f'{command}: {done.stdout.decode().strip()}')
    return done.stdout.decode().strip()


def image(kind, size, options='', mkfs=None):
    """A file system in a file in memory, by a loop device."""
    sh(f'modprobe loop; modprobe {kind}')
    sh(f'truncate -s {size} /tmp/{kind}.img')
    sh(f'{mkfs or "mkfs." + kind} {options} /tmp/{kind}.img')
    sh(f'mount -t {kind} -o loop /tmp/{kind}.img /fs/{kind}')


def packed(kind, command):
    """A file system that is only read, made of one directory."""
    sh(f'modprobe loop; modprobe {kind}; mkdir -p /tmp/packed')
    for name, data in sources().items():
        write(f'/tmp/packed/{name}', data)
    make_sparse('/tmp/packed/sparse')
    sh(command)
    sh(f'mount -t {kind} -o loop,ro /tmp/{kind}.img /fs/{kind}')


def jffs2():
    """Memory that is emulated flash."""
    sh('modprobe mtdram total_size=24576 erase_size=64; '
       'modprobe mtdblock; modprobe jffs2')
    device = mtd('mtdram test device')
    sh(f'mount -t jffs2 mtd{device} /fs/jffs2')


def ubifs():
    """An emulated NAND chip."""
    sh('modprobe nandsim id_bytes=0x20,0x33,0x00,0x00 overridesize=11 '
       '|| modprobe nandsim; modprobe ubi; modprobe ubifs')
    device = mtd('NAND simulator')
    sh(f'ubiformat -y -q /dev/mtd{device}; ubiattach -m {device} -d 0; '
       'ubimkvol /dev/ubi0 -N box -m; mount -t ubifs ubi0:box /fs/ubifs')


def mtd(name):
    for line in open('/proc/mtd', encoding='ascii'):
        if name in line:
            return line.split(':')[0][3:]
    raise OSError(f'no {name} in /proc/mtd')


def overlay(name, lower, upper):
    sh(f'modprobe overlay; mkdir -p {lower} {upper}/upper {upper}/work; '
       f'mount -t overlay overlay /fs/{name} -o lowerdir={lower},'
       f'upperdir={upper}/upper,workdir={upper}/work')


def nfs():
    """A server and a client of version 4, in one kernel."""
    sh('modprobe nfsd; modprobe nfsv4; ip link set lo up; '
       'mount -t nfsd nfsd /proc/fs/nfsd 2>/dev/null || :; '
       'mkdir -p /var/lib/nfs/v4recovery /run/rpc_pipefs /fs/ext4/shared; '
       'touch /var/lib/nfs/{etab,rmtab,xtab}; '
       'echo "/fs/ext4/shared *(rw,no_root_squash,insecure,fsid=0,'
       'no_subtree_check)" >/etc/exports; '
       'exportfs -ra; rpc.nfsd -N 3 -G 1 -L 1 2; '
       'rpc.mountd -N 3; sleep 1; '
       'mount -t nfs4 -o vers=4.2 127.0.0.1:/ /fs/nfs')


def fuse(name):
    sh('modprobe fuse')
    SERVERS.append(subprocess.Popen(
        [f'{HERE}/fuse_fs.py', name, f'/fs/{name}'],
        stdin=subprocess.DEVNULL))
    for _ in range(600):
        if os.path.ismount(f'/fs/{name}'):
            return
        time.sleep(0.1)
    raise OSError(f'{name} was not mounted')


def p9():
    sh('modprobe virtio_pci; modprobe 9pnet_virtio; modprobe 9p; '
       'mount -t 9p -o trans=virtio,version=9p2000.L host /fs/9p')


# What each is made in or on.
STANDS_ON = {
    'overlay-ext4': {'ext4'},
    'overlay-jffs2': {'squashfs', 'jffs2'},
    'nfs': {'ext4'},
}
# In order: what stands on another comes after it.
SYSTEMS = {
    'tmpfs': lambda: sh('mount -t tmpfs -o size=16m tmpfs /fs/tmpfs'),
    'ramfs': lambda: sh('mount -t ramfs ramfs /fs/ramfs'),
    'ext4': lambda: image('ext4', '64M', '-q'),
    'xfs': lambda: image('xfs', '300M', '-q'),
    'btrfs': lambda: image('btrfs', '128M', '-q'),
    'f2fs': lambda: image('f2fs', '64M', '-q'),
    'vfat': lambda: image('vfat', '32M', mkfs='mkfs.vfat -F 32'),
    'jffs2': jffs2,
    'ubifs': ubifs,
    'squashfs': lambda: packed(
        'squashfs', 'mksquashfs /tmp/packed /tmp/squashfs.img -quiet '
        '-no-progress'),
    'erofs': lambda: packed('erofs', 'mkfs.erofs /tmp/erofs.img /tmp/packed'),
    'overlay-ext4': lambda: overlay('overlay-ext4', '/fs/ext4/lower',
                                    '/fs/ext4'),
    'overlay-jffs2': lambda: overlay('overlay-jffs2', '/fs/squashfs',
                                     '/fs/jffs2'),
    '9p': p9,
    'nfs': nfs,
    'fuse-cached': lambda: fuse('fuse-cached'),
    'fuse-direct': lambda: fuse('fuse-direct'),
    'fuse-less': lambda: fuse('fuse-less'),
    'fuse-more': lambda: fuse('fuse-more'),
}
READ_ONLY = {'squashfs', 'erofs'}
# No size limits it, or what it takes is the host's.
ENDLESS = {'ramfs', '9p'}
# What st_size says is not what there is, so that no position is known to be
# the end: nothing is appended or cut here.
LYING = {'fuse-less', 'fuse-more'}


def sources():
    return {'source': DATA, 'small': DATA[:1000], 'none': b''}


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def write(path, data, mode='wb'):
    with open(path, mode) as file:
        file.write(data)


def make_sparse(path):
    with open(path, 'wb') as file:
        file.seek(MiB + 5)
        file.write(DATA[:70000])
        file.truncate(3 * MiB + 7)


SPARSE = bytes(MiB + 5) + DATA[:70000] + bytes(2 * MiB + 2 - 70000)


def run(args, stdout=subprocess.PIPE, **stdin):
    return subprocess.run(args, stdout=stdout, stderr=subprocess.PIPE, check=False,
                          **(stdin or {'stdin': subprocess.DEVNULL}))


def output(args, **more):
    """What a command prints that succeeds, and has nothing to say."""
    done = run(args, **more)
    assert (done.returncode, done.stderr) == (0, b''), \
        f'status {done.returncode}: {done.stderr!r}'
    return done.stdout


def equal(got, want, where):
    if got == want:
        return
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b),
              min(len(got), len(want)))
    raise AssertionError(f'{where}: {len(got)} bytes for {len(want)}, '
                         f'other from {at} on')


class Checks:
    """All are in a directory of the file system; its files are sources()."""

    def __init__(self, name):
        self.name = name
        self.read_only = name in READ_ONLY
        self.out = '/tmp/out' if name in READ_ONLY | LYING else '.'
        os.makedirs(self.out, exist_ok=True)

    def copy(self, cat, source, data, mode='wb', before=b''):
        path = f'{self.out}/copy'
        if before:
            write(path, before)
        with open(path, mode) as sink:
            output([*cat, source], stdout=sink)
        equal(read(path), before + data, source)
        os.unlink(path)

    def file_to_file(self, cat=(CAT,)):
        for source, data in sources().items():
            self.copy(cat, source, data)

    def file_to_pipe(self, cat=(CAT,)):
        for source, data in sources().items():
            equal(output([*cat, source]), data, source)

    def pipe_to_file(self, cat=(CAT,)):
        path = f'{self.out}/copy'
        with open(path, 'wb') as sink:
            output(cat, stdout=sink, input=DATA)
        equal(read(path), DATA, path)
        os.unlink(path)

    def appending(self):
        for source, data in sources().items():
            self.copy([CAT], source, data, 'ab', DATA[:12345])

    def tee(self):
        for options, before in ([], b''), (['-a'], DATA[5:5000]):
            for name in '12':
                write(f'{self.out}/{name}', before)
            with open('source', 'rb') as source:
                got = output([TEE, *options, f'{self.out}/1', f'{self.out}/2'],
                             stdin=source)
            equal(got, DATA, 'output')
            for name in '12':
                equal(read(f'{self.out}/{name}'), before + DATA, name)
                os.unlink(f'{self.out}/{name}')

    def holes(self):
        if not self.read_only:
            make_sparse('sparse')
        self.copy([CAT], 'sparse', SPARSE)
        equal(output([CAT, 'sparse']), SPARSE, 'pipe')

    def changed(self, change):
        """What comes of a source that is changed while it is read."""
        write('changing', DATA)
        with subprocess.Popen([CAT, 'changing'], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as cat:
            got = cat.stdout.read(65536)
            change()
            got += cat.stdout.read()
            message = cat.stderr.read()
        assert (cat.returncode, message) == (0, b''), message
        os.unlink('changing')
        return got

    def grows(self):
        more = DATA[:100000]
        got = self.changed(lambda: write('changing', more, 'ab'))
        equal(got, DATA + more, 'changing')

    def shrinks(self):
        """All that is left is read; what is cut off may have been read."""
        end = 15 << 16
        got = self.changed(lambda: os.truncate('changing', end))
        assert end <= len(got) <= len(DATA), f'{len(got)} bytes'
        equal(got, DATA[:len(got)], 'changing')

    def second_writer(self):
        """Two write to one open file: nothing is lost and nothing twice."""
        size = 1500000
        write('a', b'a' * size)
        write('b', b'b' * size)
        with open('both', 'wb') as sink:
            cats = [subprocess.Popen([CAT, name], stdout=sink)
                    for name in 'ab']
            assert [cat.wait() for cat in cats] == [0, 0]
        got = read('both')
        counts = got.count(b'a'), got.count(b'b'), len(got)
        assert counts == (size, size, 2 * size), counts
        for name in 'a', 'b', 'both':
            os.unlink(name)

    def full(self):
        """No room for all of it: one message, and what is there is right. A copy
        within xfs or btrfs shares the source's room, and needs none."""
        write('/tmp/source', DATA)
        try:
            fill()
            done = self.run_into('sink', [CAT, '/tmp/source'])
            self.full_disk(done, b'cat: write error: ')
            with open('/tmp/source', 'rb') as source:
                done = run([TEE, 'sink'], stdin=source)
            self.full_disk(done, b'tee: sink: ')
            equal(done.stdout, DATA, "tee's output")
        finally:
            for name in 'ballast', 'spare', 'sink':
                if os.path.exists(name):
                    os.unlink(name)

    @staticmethod
    def run_into(path, args):
        """NFS tells whoever closes the file, and not only box, that it is full."""
        sink = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            return run(args, stdout=sink)
        finally:
            with contextlib.suppress(OSError):
                os.close(sink)

    def full_disk(self, done, who):
        assert (done.returncode, done.stderr) == \
            (1, who + b'No space left on device\n'), \
            f'status {done.returncode}: {done.stderr!r}'
        got = bytearray(read('sink'))
        if self.name == 'nfs':
            # The client sends parts of it at once, and keeps its size: what the
            # server has refused is a hole, also before what it has taken.
            for at in range(0, len(got), 4096):
                page = slice(at, at + 4096)
                if not any(got[page]):
                    got[page] = DATA[page]
        equal(got, DATA[:len(got)], 'sink')
        os.unlink('sink')

    def each_method(self):
        for line in sh(f'{ALL} --probe').splitlines():
            method, _, what = line.partition(': ')
            if what == 'not built in':
                continue
            cat = [ALL, 'cat', f'--method={method}']
            try:
                self.file_to_file(cat)
                self.file_to_pipe(cat)
                if self.name not in LYING:
                    self.pipe_to_file(cat)
            except AssertionError as error:
                raise AssertionError(f'{method}: {error}') from None


def fill():
    """Takes all room but for a third of what is then to be written. A file on
    full flash cannot be made shorter, but it can be removed."""
    block = random.Random(2).randbytes(MiB)
    write('spare', block)
    try:
        with open('ballast', 'wb', 0) as ballast:
            while ballast.tell() < 512 * MiB:
                ballast.write(block)
                os.fsync(ballast.fileno())
    except OSError as error:
        assert error.errno == errno.ENOSPC, error
    os.unlink('spare')


# The columns of the table: what each is called, the check, and which file
# systems have no such thing.
COLUMNS = {
    'file to file': (Checks.file_to_file, set()),
    'file to pipe': (Checks.file_to_pipe, set()),
    'pipe to file': (Checks.pipe_to_file, READ_ONLY | LYING),
    'appending': (Checks.appending, READ_ONLY | LYING),
    'tee': (Checks.tee, LYING),
    'holes': (Checks.holes, LYING),
    'grows': (Checks.grows, READ_ONLY | LYING),
    'shrinks': (Checks.shrinks, READ_ONLY | LYING),
    'second writer': (Checks.second_writer, READ_ONLY | LYING),
    'full disk': (Checks.full, READ_ONLY | LYING | ENDLESS),
    'each method': (Checks.each_method, set()),
}


def prepare(name):
    os.makedirs(f'/fs/{name}', exist_ok=True)
    SYSTEMS[name]()
    directory = f'/fs/{name}'
    os.chdir(directory)
    if name in READ_ONLY | LYING:
        return
    shutil.rmtree('test', ignore_errors=True)
    os.mkdir('test')
    os.chdir('test')
    for source, data in sources().items():
        write(source, data)


def main(chosen):
    wanted = set(chosen or SYSTEMS).union(
        *(STANDS_ON.get(name, set()) for name in chosen))
    names = [name for name in SYSTEMS if name in wanted]
    print(f'1..{len(names) * len(COLUMNS)}', flush=True)
    number, failures = 0, 0
    for name in names:
        broken = ''
        try:
            prepare(name)
            checks = Checks(name)
        except OSError as error:
            broken = str(error).replace('\n', ' ')
        missing = broken if 'not found' in broken else ''
        for column, (check, without) in COLUMNS.items():
            number += 1
            title = f'{number} {name}: {column}'
            if missing or name in without:
                print(f'ok {title} # skip', missing or 'there is no such',
                      flush=True)
                continue
            try:
                assert not broken, broken
                check(checks)
                print('ok', title, flush=True)
            except (AssertionError, OSError) as error:
                failures += 1
                print(f'not ok {title}\n# {error}', flush=True)
        os.chdir('/')
    # Their output is ours: who reads it waits for its end.
    for server in SERVERS:
        server.terminate()
    return failures > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
