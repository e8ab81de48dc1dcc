#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""Checks that a forge's workflow runs .ci/run for pushes and pull requests, on
amd64 and arm64, and gives what others wrote no rights: workflow.py FILE
"""
import sys

import yaml


def equal(what, got, want):
    if got != want:
        sys.exit(f'{what}: {got!r}, not {want!r}')


def main(name):
    with open(name, encoding='utf-8') as file:
        workflow = yaml.safe_load(file)
    # YAML 1.1 reads the key "on" as true.
    equal('on', set(workflow[True]), {'push', 'pull_request'})
    equal('permissions', workflow['permissions'], {'contents': 'read'})
    job, = workflow['jobs'].values()
    equal('permissions of the job', job.get('permissions'), None)
    runners = job['strategy']['matrix']['runner']
    equal('on arm64', [r.endswith('-arm') for r in runners], [False, True])
    equal('runs-on', job['runs-on'], '${{ matrix.runner }}')
    equal('run', [s['run'] for s in job['steps'] if 'run' in s], ['.ci/run'])
    for step in job['steps']:
        if 'uses' in step:
            # Named by its commit.
            equal(step['uses'], len(step['uses'].split('@')[1]), 40)
            equal(f'{step["uses"]}: persist-credentials',
                  step['with']['persist-credentials'], False)


if __name__ == '__main__':
    main(sys.argv[1])
