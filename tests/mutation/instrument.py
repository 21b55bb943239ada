"""Finds the conditions of a C++ source and wraps each in a call that can answer it wrongly.

Works on tokens, not on a syntax tree: it relies on the layout of this repository (blanks around binary operators, no assignments in
conditions). What it cannot wrap is reported, never dropped without a word.
"""
import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r'''(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")
      | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])+')
      | (?P<number>\.?\d(?:[\w.]|'\w)*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<operator><=>|\.\.\.|->|::|&&|\|\||==|!=|<=|>=|[-+*/%&|^]=|<<|>>|\+\+|--|.)''',
    re.VERBOSE | re.DOTALL | re.MULTILINE)

OPEN, CLOSE = "([{", ")]}"
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}
BORDERS = ASSIGNMENTS | {",", ";", "?", ":", "return", "case", "else"}
COMPARISONS = {"==", "!=", "<", ">", "<=", ">="}
BINARY = COMPARISONS | {"&&", "||", "+", "-", "*", "/", "%", "|", "^", "<<", ">>"}


@dataclass(frozen=True)
class Token:
    text: str
    begin: int
    end: int


@dataclass(frozen=True)
class Mutant:
    kind: str    # condition, declared, operand, choice, negation, comparison
    begin: int   # of the text that is wrapped
    end: int
    name: str = ""  # of a variable declared in a condition


@dataclass
class Found:
    mutants: list = field(default_factory=list)
    skipped: list = field(default_factory=list)  # (offset, why)


def tokens_of(text):
    tokens = []
    for match in TOKEN.finditer(text):
        if match.lastgroup != "skip" and match.group("skip") is None:
            tokens.append(Token(match.group(), match.start(), match.end()))
    return tokens


class Finder:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.partner = self._partners()
        self.found = Found()
        self.spans = set()

    def _partners(self):
        partner, open_ones = {}, []
        for index, token in enumerate(self.tokens):
            if token.text in OPEN:
                open_ones.append(index)
            elif token.text in CLOSE:
                partner[index] = open_ones.pop()
                partner[partner[index]] = index
        return partner

    def word(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def blanks_around(self, index):
        token = self.tokens[index]
        return self.text[token.begin - 1].isspace() and self.text[token.end].isspace()

    def walk_left(self, index, borders):
        """The first token of the expression that ends before `index`."""
        index -= 1
        while index >= 0:
            text = self.word(index)
            if text in OPEN or text in borders:
                return index + 1
            index = self.partner[index] - 1 if text in CLOSE else index - 1
        return 0

    def walk_right(self, index, borders):
        """The token behind the expression that starts after `index`."""
        index += 1
        while index < len(self.tokens):
            text = self.word(index)
            if text in CLOSE or text in borders:
                return index
            index = self.partner[index] + 1 if text in OPEN else index + 1
        return index

    def top_level(self, first, behind):
        """Indices of the tokens of a range that stand in no bracket of it."""
        index = first
        while index < behind:
            yield index
            index = self.partner[index] if self.word(index) in OPEN else index
            index += 1

    def add(self, kind, first, behind, name=""):
        if first >= behind:
            return
        span = (self.tokens[first].begin, self.tokens[behind - 1].end)
        if span in self.spans:
            return
        self.spans.add(span)
        self.found.mutants.append(Mutant(kind, *span, name))

    def skip(self, index, why):
        self.found.skipped.append((self.tokens[index].begin, why))

    def condition(self, keyword):
        if self.word(keyword + 1) == "constexpr":
            return self.skip(keyword, "if constexpr is decided by the compiler")
        first, behind = keyword + 2, self.partner[keyword + 1]
        for index in self.top_level(first, behind):
            if self.word(index) == ";":
                first = index + 1
        declared = [i for i in self.top_level(first, behind) if self.word(i) == "="]
        if not declared:
            return self.add("condition", first, behind)
        if self.word(keyword) == "while" or first != keyword + 2:
            return self.skip(keyword, "a declaration as condition, where no second statement has room")
        self.add("declared", first, behind, self.word(declared[0] - 1))

    def operator(self, index):
        if not self.blanks_around(index):
            return self.skip(index, "no operator but a reference")
        borders = BORDERS | {"&&", "||"}
        self.add("operand", self.walk_left(index, borders), index)
        self.add("operand", index + 1, self.walk_right(index, borders))

    def negation(self, index):
        behind = self.walk_right(index, BORDERS | BINARY)
        self.add("negation", index, behind)

    def returned(self, index):
        behind = self.walk_right(index, {";"})
        top = [i for i in self.top_level(index + 1, behind)]
        words = {self.word(i) for i in top}
        if words & {"?", "&&", "||", "="}:
            return  # the parts are wrapped
        if any(self.word(i) in COMPARISONS and self.blanks_around(i) for i in top):
            self.add("comparison", index + 1, behind)

    def run(self):
        index = 0
        while index < len(self.tokens):
            text = self.word(index)
            if text == "static_assert":
                self.skip(index, "static_assert is decided by the compiler")
                index = self.partner[index + 1]
            elif text in ("if", "while"):
                self.condition(index)
            elif text == "?":
                self.add("choice", self.walk_left(index, BORDERS), index)
            elif text in ("&&", "||"):
                self.operator(index)
            elif text == "!":
                self.negation(index)
            elif text == "return":
                self.returned(index)
            index += 1
        self.found.mutants.sort(key=lambda m: (m.begin, -m.end))
        return self.found


def find(text):
    return Finder(text).run()


def instrumented(text, numbered):
    """The text with the mutants wrapped; `numbered` is a list of (number, mutant). Line numbers stay."""
    edits = []  # (offset, order at that offset, text); what ends somewhere ends before the next begins
    for depth, (number, mutant) in enumerate(numbered):
        call = f"::gpulint::mutation::at({number}, bool("
        if mutant.kind == "declared":
            edits.append((mutant.end, (0, 0), f"; {call}{mutant.name}))"))
        else:
            edits.append((mutant.begin, (1, depth), call))
            edits.append((mutant.end, (0, -depth), "))"))
    out, at = [], 0
    for offset, _, inserted in sorted(edits, key=lambda e: (e[0], e[1])):
        out += [text[at:offset], inserted]
        at = offset
    return '#include "tests/mutation/mutant.h"\n#line 1\n' + "".join(out) + text[at:]
