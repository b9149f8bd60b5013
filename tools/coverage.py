#!/usr/bin/env python3
"""coverage.py - adds up what gcov says of a build: tools/coverage.py BUILD FOLDER...

Prints lines and branches for each folder of the source, src by layer. BUILD/files.tsv has the same for each file, with the
lines that never ran. A line counts once, however many files include it; a branch is taken if it was in any of them.
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


def main():
    found = glob.glob(build + "/**/*.gcda", recursive=True)
    for first in range(0, len(found), 20):
        answer = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *found[first : first + 20]],
                                capture_output=True, text=True, cwd=build)
        for text in answer.stdout.splitlines():
            read(json.loads(text))
    branches = collections.defaultdict(list)
    for (name, _), copies in lists.items():
        branches[name] += fold(copies)
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
