#!/usr/bin/python3 -S
# SPDX-License-Identifier: 0BSD
"""Finds what cannot fail in tests for bats.

shapes FILE...
    prints where that is, and why; the status is 1 if there is any. A test ends
    at a command that fails, but not at one before && or ||, nor after "!", nor
    at any in a compound command or a function there, be the function one of
    the file itself or of a FILE that ends in .bash. Nor is a skip in setup_file(),
    or in a function that this calls, a skip: to bats 1.8 it is a failure.
"""
import json
import os
import subprocess
import sys

AND, OR, PIPE = 10, 11, 12      # as shfmt has them
# Go collects no garbage of what runs for a moment.
QUICKLY = {"GOGC": "off", "GOMAXPROCS": "1"}
COMPOUND = "Block", "Subshell", "ForClause", "WhileClause", "IfClause", "CaseClause"


def words(command):
    if command.get("Type") != "CallExpr":
        return []
    return ["".join(part.get("Value", "") for part in word["Parts"])
            for word in command.get("Args", [])]


def nodes(tree):
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            node = node.values()
        left.extend(each for each in node if isinstance(each, (dict, list)))


def asserts(function):
    """Whether it counts on errexit, which ends it at a command but the last."""
    for statement in function["Body"]["Cmd"]["Stmts"][:-1]:
        command = statement["Cmd"]
        if command["Type"] == "BinaryCmd":
            plain = words(command["Y"]["Cmd"])[:1] in (["return"], [":"])
        else:
            plain = command["Type"] == "DeclClause" or words(command)[:1] == ["shift"] or (
                command["Type"] == "CallExpr" and not words(command))
        if not plain:
            return True
    return False


def name_of(function):
    return function["Name"]["Value"]


def called(tree):
    """Its words, of which some are functions or programs."""
    return {word for node in nodes(tree) for word in words(node)}


def callers(calls, name):
    """That function, and those that call it, or one that does."""
    found, before = {name}, set()
    while found != before:
        before = found
        found = found | {each for each, called in calls.items() if called & found}
    return found


class Tests:
    def __init__(self, names):
        trees = {name: self.read(name) for name in names}
        self.made = {name: [node for node in nodes(tree) if node.get("Type") == "FuncDecl"]
                     for name, tree in trees.items()}
        shared = [node for name, made in self.made.items() if name.endswith(".bash")
                  for node in made]
        # Of each function whether it asserts, and what it calls.
        shared = {name_of(node): (asserts(node), called(node["Body"])) for node in shared}
        self.found = []
        for self.name, tree in trees.items():
            functions = shared | {name_of(node): (asserts(node), called(node["Body"]))
                                  for node in self.made[self.name]}
            self.functions = {name for name, (asserting, _) in functions.items() if asserting}
            self.look(tree)
            self.look_for_skips(tree, {name: calls for name, (_, calls) in functions.items()})

    def read(self, name):
        with open(name, encoding="utf-8") as file:
            said = subprocess.run(["shfmt", "-ln", "bats", "--to-json"], stdin=file, check=True,
                                  stdout=subprocess.PIPE, env=os.environ | QUICKLY).stdout
        # Most of it is positions, of which the line will do.
        return json.loads(said, object_hook=lambda d: d["Line"] if "Line" in d else d)

    def look_for_skips(self, tree, calls):
        """What skips in setup_file(), and tests that nothing skips where strace is missing."""
        skipping, tracing, asking = (callers(calls, name)
                                     for name in ("skip", "strace", "needs_strace"))
        for node in self.made[self.name]:
            if name_of(node) == "setup_file":
                for each in nodes(node["Body"]):
                    if "Cmd" in each and skipping.intersection(words(each["Cmd"])[:1]):
                        self.say(each, "to bats 1.8 a skip in setup_file() is a failure")
        for node in nodes(tree):
            if node.get("Type") == "TestDecl":
                names = called(node["Body"]) | calls.get("setup", set())
                if names & tracing and not names & asking:
                    self.say(node, "it fails where strace is missing: needs_strace")

    def say(self, at, what):
        self.found.append(f"{self.name}:{at['Position']}: {what}")

    def look(self, node, asked=False):
        """asked: it is a condition, so errexit is off."""
        if isinstance(node, list):
            for each in node:
                self.look(each, asked)
        if not isinstance(node, dict):
            return
        kind = node.get("Type")
        if node.get("Negated") and not asked:
            self.say(node, '"!" cannot fail: say "run !", or "if"')
        if asked and "Cmd" in node and self.functions.intersection(words(node["Cmd"])[:1]):
            self.say(node, "nothing but its last line can fail here: a line of its own")
        if kind == "BinaryCmd":
            self.look_at_two(node, asked)
            return
        for key, child in node.items():
            self.look(child, key == "Cond" or asked and key == "Cmd")

    def look_at_two(self, node, asked):
        left, right = node["X"], node["Y"]
        if node["Op"] == AND and not asked:
            self.say(left, "&& lets all but the last fail: a line for each")
        if node["Op"] == OR and left["Cmd"]["Type"] in COMPOUND:
            self.say(left, "|| lets what is in there fail")
        if node["Op"] == PIPE and words(right["Cmd"])[:1] == ["grep"] and any(
                w[:1] == "-" and w[1:2] != "-" and "q" in w for w in words(right["Cmd"])):
            self.say(left, "grep -q leaves early, and what it reads from may fail")
        self.look(left, asked or node["Op"] in (AND, OR))
        self.look(right, asked)


if __name__ == "__main__":
    found = Tests(sys.argv[1:]).found
    print("\n".join(found))
    sys.exit(bool(found))
