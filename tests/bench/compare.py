#!/usr/bin/env python3
"""Runs command lines and prints medians and ratios.

    compare.py [--pair NAME COMMAND REFERENCE]... [--memory NAME COMMAND]... [--runs N]

A pair is run in turns, so that both meet the same machine: median wall times and their ratio. Memory: the greatest resident size.
Commands may fail (a linter with findings does), but not with a usage error.
"""
import argparse, os, shlex, statistics, subprocess, sys, time


def run(command):
    """Wall seconds and peak MiB of one run."""
    begin = time.perf_counter()
    process = subprocess.Popen(shlex.split(command), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command}: {errors.decode('utf8', 'replace')}")
    return seconds, usage.ru_maxrss / 1024


def pair(name, command, reference, runs):
    run(command), run(reference)
    ours, theirs = zip(*((run(command)[0], run(reference)[0]) for _ in range(runs)))
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"{name:<50} {a * 1000:8.1f} ms / {b * 1000:8.1f} ms = {a / b:.2f}")


def memory(name, command, runs):
    print(f"{name:<50} {statistics.median(run(command)[1] for _ in range(min(runs, 5))):8.1f} MiB at most")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pair", nargs=3, action="append", default=[])
    parser.add_argument("--memory", nargs=2, action="append", default=[])
    parser.add_argument("--runs", type=int, default=11)
    arguments = parser.parse_args()
    for name, command, reference in arguments.pair:
        pair(name, command, reference, arguments.runs)
    for name, command in arguments.memory:
        memory(name, command, arguments.runs)


if __name__ == "__main__":
    main()
