#!/usr/bin/env python3
"""Do the samples of the rules notice when a condition of a rule is wrong?

    tests/mutation/mutate.py BUILD_DIR [--rule ID ...] [--jobs N]

Copies rules/checks into BUILD_DIR/mutation with a switch at every condition, compiles that once, and runs fixtures_test once for each
mutant, on the samples of its rule alone: one condition gives the opposite answer. A mutant that changes no finding and no fix of these
samples survives, and is listed: a clause that no sample tests, or one that makes no difference. Goldens are written anew from the rules
as they are, so what counts is the difference and not their state. BUILD_DIR is a configured build with Ninja; Release is fastest.
Left there: mutants.tsv (every mutant with its outcome).
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import instrument

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 20            # of processor time; a condition of a loop may never end
MEMORY = 4 << 30
ANSWERS = {0: "never asked", 1: "always false", 2: "always true", 3: "both answers"}
# Folders of other rules are empty in a mutant's place.
NOT_RUN = ["--test-case-exclude=a rule that says it can repair*"]


@dataclass
class Numbered:
    number: int
    file: str
    line: int
    mutant: instrument.Mutant
    text: str
    outcome: str = ""


def rules_of(stem):
    """The ids of the rules in one file."""
    family = ROOT / "rules/checks" / f"{stem}.rules"
    return family.read_text().split() if family.exists() else [stem]


def all_rules():
    return [rule for path in sorted((ROOT / "rules/checks").glob("*.cc")) for rule in rules_of(path.stem)]


class Sources:
    """Every file of rules/checks with its mutants; numbers are unique in the run."""

    def __init__(self):
        self.files, self.skipped, self.mutants = {}, [], []
        for path in sorted((ROOT / "rules/checks").glob("*.cc")):
            text = path.read_text()
            found = instrument.find(text)
            own = []
            for mutant in found.mutants:
                words = " ".join(text[mutant.begin:mutant.end].split())
                own.append(Numbered(len(self.mutants) + len(own) + 1, path.name, text.count("\n", 0, mutant.begin) + 1, mutant, words))
            self.files[path.name] = (text, own)
            self.mutants += own
            self.skipped += [(path.name, text.count("\n", 0, offset) + 1, why) for offset, why in found.skipped]

    def text(self, name):
        text, own = self.files[name]
        return instrument.instrumented(text, [(m.number, m.mutant) for m in own])

    def give_up(self, name, lines):
        """Leaves out the mutants of these lines, which do not compile. Whether there were any."""
        text, own = self.files[name]
        kept = [m for m in own if m.line not in lines]
        self.skipped += [(name, line, "does not compile when it is wrapped") for line in sorted({m.line for m in own if m.line in lines})]
        self.mutants = [m for m in self.mutants if m.file != name or m in kept]
        self.files[name] = (text, kept)
        return len(kept) < len(own)


class Runner:
    """fixtures_test, linked with the instrumented rules."""

    def __init__(self, build, jobs):
        self.build, self.jobs = build, jobs
        self.place = build / "mutation"
        self.program = self.place / "fixtures_test"
        subprocess.run(["ninja", "-C", build, "fixtures_test"], check=True, stdout=subprocess.DEVNULL)
        database = json.loads(subprocess.run(["ninja", "-C", build, "-t", "compdb"], check=True, capture_output=True).stdout)
        prefix = str(ROOT / "rules/checks") + "/"
        self.commands = {Path(e["file"]).name: e for e in database if e["file"].startswith(prefix) and " -c " in e["command"]}

    def compile_one(self, like, source, target):
        """Compiles `source` as the build compiles the rule `like`. The compiler's complaints; empty: it went well."""
        entry = self.commands[like]
        command = entry["command"].replace(entry["file"], str(source))
        command = re.sub(r" -MD -MT \S+ -MF \S+ -o \S+", f" -o {target}", command)
        done = subprocess.run(command, shell=True, cwd=entry["directory"], capture_output=True, text=True)
        return done.stderr or "failed" if done.returncode else ""

    def compile_rule(self, sources, name):
        copy = self.place / "checks" / name
        while True:
            copy.write_text(sources.text(name))
            errors = self.compile_one(name, copy, copy.with_suffix(".o"))
            if not errors:
                return
            lines = {int(line) for line in re.findall(re.escape(str(copy)) + r":(\d+):\d+: error", errors)}
            if not sources.give_up(name, lines):
                sys.exit(f"{name} does not compile:\n{errors}")

    def make(self, sources):
        shutil.rmtree(self.place, ignore_errors=True)
        (self.place / "checks").mkdir(parents=True)
        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda name: self.compile_rule(sources, name), sources.files))
        any_rule = next(iter(sources.files))
        if errors := self.compile_one(any_rule, ROOT / "tests/mutation/mutant.cc", self.place / "checks/mutant.o"):
            sys.exit(errors)
        archive = self.place / "libchecks.a"
        subprocess.run(["ar", "qc", archive, *sorted((self.place / "checks").glob("*.o"))], check=True)
        commands = subprocess.run(["ninja", "-C", self.build, "-t", "commands", "fixtures_test"], check=True, capture_output=True, text=True)
        link = commands.stdout.splitlines()[-1].replace("libgpulint_checks.a", str(archive)).replace("-o fixtures_test", f"-o {self.program}")
        subprocess.run(link, shell=True, cwd=self.build, check=True)

    def run(self, place, **variables):
        """fixtures_test in this place: its exit status is 0 when it passes."""
        command = ["prlimit", f"--cpu={SECONDS}", f"--as={MEMORY}", "--core=0", self.program, "--abort-after=1", "--no-colors", *NOT_RUN]
        environment = {**os.environ, **variables}
        return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, errors="replace")


def make_place(runner, stem):
    """A folder that looks to fixtures_test like the repository, with the samples of these rules alone."""
    place = runner.place / "places" / stem
    for rule in all_rules():
        (place / "testdata/rules" / rule).mkdir(parents=True)
    for rule in rules_of(stem):
        shutil.copytree(ROOT / "testdata/rules" / rule, place / "testdata/rules" / rule, dirs_exist_ok=True)
    runner.run(place, GPULINT_UPDATE="1")
    seen = runner.place / "places" / f"{stem}.seen"
    unchanged = runner.run(place, GPULINT_MUTANTS_SEEN=str(seen))
    if unchanged.returncode != 0:
        sys.exit(f"{stem}: fixtures_test fails without any mutant:\n{unchanged.stdout}")
    return place, dict(tuple(map(int, line.split())) for line in seen.read_text().splitlines())


def judge(runner, sources, names):
    """Fills in the outcome of each mutant."""
    mutants = [m for m in sources.mutants if m.file in names]
    places = {}
    for name in sorted({m.file for m in mutants}):
        places[name] = make_place(runner, Path(name).stem)

    def judge_one(mutant):
        place, seen = places[mutant.file]
        answers = seen.get(mutant.number, 0)
        killed = answers != 0 and runner.run(place, GPULINT_MUTANT=str(mutant.number)).returncode != 0
        mutant.outcome = "killed" if killed else ANSWERS[answers]

    with ThreadPoolExecutor(runner.jobs) as pool:
        list(pool.map(judge_one, mutants))
    return mutants


def report(mutants, sources, place):
    lines = [f"{m.number}\t{m.file}\t{m.line}\t{m.mutant.kind}\t{m.outcome}\t{m.text}\n" for m in mutants]
    (place / "mutants.tsv").write_text("number\tfile\tline\tkind\toutcome\ttext\n" + "".join(lines))
    for name, line, why in sources.skipped:
        print(f"{name}:{line}: not tried: {why}")
    survivors = [m for m in mutants if m.outcome != "killed"]
    for m in survivors:
        print(f"{m.file}:{m.line}: {m.mutant.kind}, {m.outcome} ({m.number}): {m.text}")
    print(f"{len(mutants)} mutants, {len(mutants) - len(survivors)} killed, {len(survivors)} survive", end="")
    counts = {answer: sum(m.outcome == answer for m in survivors) for answer in ANSWERS.values()}
    print(": " + ", ".join(f"{count} {answer}" for answer, count in counts.items() if count) if survivors else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, metavar="BUILD_DIR")
    parser.add_argument("--rule", action="append", default=[], metavar="ID", help="only this rule (with its family)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    sources = Sources()
    names = {n for n in sources.files if not options.rule or set(rules_of(Path(n).stem)) & set(options.rule)}
    if not names:
        parser.error(f"no rule {', '.join(options.rule)}")
    runner = Runner(options.build.resolve(), options.jobs)
    runner.make(sources)
    report(judge(runner, sources, names), sources, runner.place)


if __name__ == "__main__":
    main()
