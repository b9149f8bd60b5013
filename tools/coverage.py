#!/usr/bin/env python3
"""coverage.py - adds up what gcov says of a build: tools/coverage.py BUILD FOLDER...

Prints lines and branches for each folder of the source, src by layer. BUILD/files.tsv has the same for each file, with the
lines that never ran. BUILD/branches.tsv has each line with a branch that was never taken: file, line, how often it ran, which
of its branches were never taken (from 0), how many it has, and its text. A line counts once, however many files include it; a
branch is taken if it was in any of them.
"""
import collections
import glob
import json
import os
import subprocess
import sys

build = os.path.realpath(sys.argv[1])
root = os.getcwd()
folders = tuple(name + "/" for name in sys.argv[2:])
lines = collections.defaultdict(lambda: collections.defaultdict(int))  # file -> line -> how often
lists = collections.defaultdict(list)  # (file, line) -> the branches of each function that has it


def read(counts):
    for file in counts["files"]:
        name = os.path.relpath(os.path.join(counts["current_working_directory"], file["file"]), root)
        if not name.startswith(folders):
            continue
        for line in file["lines"]:
            number = line["line_number"]
            lines[name][number] += line["count"]
            if line["branches"]:
                lists[name, number].append([branch["count"] for branch in line["branches"]])


def fold(copies):
    """The branches of a line, each with its sum over all copies of the function."""
    sums = [0] * max(map(len, copies))
    for copy in copies:
        for i, count in enumerate(copy):
            sums[i] += count
    return sums


def write_missing(missing):
    """The lines with branches that were never taken, as they are in the source."""
    with open(build + "/branches.tsv", "w", encoding="utf-8") as out:
        texts = {}
        for name, number, n_run, counts in missing:
            if name not in texts:
                with open(os.path.join(root, name), encoding="utf-8") as source:
                    texts[name] = source.read().splitlines()
            never = ",".join(str(i) for i, count in enumerate(counts) if not count)
            print(name, number, n_run, never, len(counts), texts[name][number - 1].strip(), sep="\t", file=out)


def main():
    found = glob.glob(build + "/**/*.gcda", recursive=True)
    for first in range(0, len(found), 20):
        answer = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *found[first : first + 20]],
                                capture_output=True, text=True, cwd=build)
        for text in answer.stdout.splitlines():
            read(json.loads(text))
    branches = collections.defaultdict(list)
    missing = []  # (file, line, how often it ran, its branches)
    for (name, number), copies in sorted(lists.items()):
        counts = fold(copies)
        branches[name] += counts
        if not all(counts):
            missing.append((name, number, lines[name][number], counts))
    write_missing(missing)
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    with open(build + "/files.tsv", "w", encoding="utf-8") as out:
        for name in sorted(lines):
            counts = [len(lines[name]), sum(n > 0 for n in lines[name].values()),
                      len(branches[name]), sum(n > 0 for n in branches[name])]
            part = name.split("/")
            for folder in {"/".join(part[:-1]), part[0], "all"}:
                sums[folder] = [a + b for a, b in zip(sums[folder], counts)]
            print(name, *counts, " ".join(str(n) for n in sorted(lines[name]) if not lines[name][n]), sep="\t", file=out)
    print("| folder | lines | run | branches | taken |\n|---|---:|---:|---:|---:|")
    for folder in sorted(sums, key=lambda name: (name == "all", name)):
        n_lines, n_run, n_branches, n_taken = sums[folder]
        print(f"| {folder} | {n_lines} | {100 * n_run / n_lines:.1f} % | {n_branches} | {100 * n_taken / max(n_branches, 1):.1f} % |")


main()
