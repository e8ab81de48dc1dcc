#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Sets what is run in a bundle (OCI runtime specification), and with which rights.

bundle.py [--user N] [--without-proc] [--host-network] [--refuse CALL,...]
          BUNDLE PROFILE DATA ARGS...
    runs ARGS on a root that is read-only, without capabilities and without ways to
    new privileges, with the system calls that PROFILE lets pass: a file in the
    format of Docker's and Podman's, or "none". DATA is /data there,
    BUNDLE/dev is /dev, and no control group is asked for. The account is called 0
    there, or N. Of what PROFILE lets pass, --refuse answers ENOSYS to these calls.
"""
import argparse
import errno
import json
import os
import platform

MACHINES = {'x86_64': ('amd64', 'SCMP_ARCH_X86_64'),
            'aarch64': ('arm64', 'SCMP_ARCH_AARCH64')}


def applies(rule, arch):
    """Whether it is a rule of those who have no capability, on this kernel."""
    where, but = rule.get('includes') or {}, rule.get('excludes') or {}
    release = [int(n) for n in platform.release().split('-')[0].split('.')[:2]]
    return not (where.get('caps') or
                'arches' in where and arch not in where['arches'] or
                arch in but.get('arches', ()) or
                release < [int(n) for n in where.get('minKernel', '0.0').split('.')])


def seccomp(name, refused):
    with open(name, encoding='utf-8') as file:
        profile = json.load(file)
    arch, machine = MACHINES[platform.machine()]
    sub, = (entry.get('subArchitectures', []) for entry in profile['archMap']
            if entry['architecture'] == machine)
    rules = [{key: rule[key] for key in ('names', 'action', 'errnoRet', 'args')
              if rule.get(key)}
             for rule in profile['syscalls'] if applies(rule, arch)]
    for rule in rules:
        rule['names'] = [name for name in rule['names'] if name not in refused]
    rules = [rule for rule in rules if rule['names']]
    if refused:
        rules.append({'names': refused, 'action': 'SCMP_ACT_ERRNO',
                      'errnoRet': errno.ENOSYS})
    got = {key: profile[key] for key in ('defaultAction', 'defaultErrnoRet')
           if key in profile}
    return dict(got, architectures=[machine, *sub], syscalls=rules)


def main(user, without_proc, host_network, refuse, bundle, profile, data, args):
    name = os.path.join(bundle, 'config.json')
    with open(name, encoding='utf-8') as file:
        config = json.load(file)
    dev = os.path.join(bundle, 'dev')
    sets = 'bounding', 'effective', 'inheritable', 'permitted', 'ambient'
    config['process'].update(
        args=args, terminal=False, cwd='/', noNewPrivileges=True,
        capabilities={kind: [] for kind in sets}, user={'uid': user, 'gid': user})
    config['root']['readonly'] = True
    config['mounts'] = [
        *([] if without_proc else
          [{'destination': '/proc', 'type': 'proc', 'source': 'proc'}]),
        {'destination': '/data', 'type': 'bind', 'source': os.path.abspath(data),
         'options': ['bind', 'rw', 'nosuid', 'nodev']},
        {'destination': '/dev', 'type': 'bind', 'source': os.path.abspath(dev),
         'options': ['bind', 'rw', 'nosuid']},
    ]
    config['linux'] = {
        'namespaces': [{'type': kind}
                       for kind in ('user', 'pid', 'mount', 'ipc', 'uts',
                                    *([] if host_network else ['network']))],
        'uidMappings': [{'containerID': user, 'hostID': os.getuid(), 'size': 1}],
        'gidMappings': [{'containerID': user, 'hostID': os.getgid(), 'size': 1}],
    }
    if profile != 'none':
        config['linux']['seccomp'] = seccomp(profile, refuse)
    with open(name, 'w', encoding='utf-8') as file:
        json.dump(config, file)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--without-proc', action='store_true')
    parser.add_argument('--host-network', action='store_true')
    parser.add_argument('--user', type=int, default=0)
    parser.add_argument('--refuse', default=[], type=lambda words: words.split(','))
    for word in 'bundle', 'profile', 'data':
        parser.add_argument(word)
    parser.add_argument('args', nargs=argparse.REMAINDER)
    main(**vars(parser.parse_args()))
