# SPDX-License-Identifier: Apache-2.0
"""The small bugs that tools/mutate can plant in a file of C, TypeScript or Python: another operator, a constant beside the
right one, a bound moved by one, a condition turned round, a statement dropped, a word for its opposite."""
import ast
import collections
import io
import re
import subprocess
import tokenize

Mutant = collections.namedtuple("Mutant", "file line kind old new")

SWAPS = {
    "<": ["<=", ">"], "<=": ["<"], ">": [">=", "<"], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "++": ["--"], "--": ["++"],
    "|=": ["="], "&": ["|"], "|": ["&"], ">>": ["<<"], "<<": [">>"], "%": ["/"],
}
OPERATOR = re.compile(r"->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/|&]=|[-+*/%<>&|]")
NUMBER = re.compile(r"(?<![\w.])(\d+\.\d*(?:e-?\d+)?|\d+e-?\d+|\d+)(?![\w.])")
WORD = re.compile(r"\b(true|false|break|continue)\b")
WORDS = {"true": "false", "false": "true", "break": ";", "continue": ";"}
NEGATION = re.compile(r"!(?=[\w(])")
STATEMENT = re.compile(r"^(\s+)(?!return\b|goto\b|else\b|case\b|static\b|const\b)(\*?[A-Za-z_][\w.>\[\]()* -]*?\s*(?:[-+*/|&^]?=|\+\+|--|\().*;)\s*$")
DECLARATION = re.compile(r"^\s+(?:\w+\s+)+\**\w+\s*(?:=|;|\[|,)")
CONDITION = re.compile(r"\b(if|while) \((.*)\)(\s*\{?\s*)$")


# Comments and strings, as C and TypeScript have them.
QUIET = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''


class C:
    """The language of the library; the others say where they differ. What a file compiles to is asked of its build."""

    indent = "    "  # of lines inside a function
    swaps, operator, number, word, words, negation = SWAPS, OPERATOR, NUMBER, WORD, WORDS, NEGATION
    nothing = "(void)0;"

    @staticmethod
    def mask(text):
        """The text with comments, strings, asserts and preprocessor lines blanked, every character in its place."""
        pattern = QUIET + r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|\b(?:assert|DGMI_ASSERT_WALK)\(.*?\);"
        return re.sub(pattern, blanks, text, flags=re.DOTALL | re.MULTILINE)

    @staticmethod
    def condition(bare):
        """Where a whole condition stands, and what is written before and behind it when it is turned round."""
        match = CONDITION.search(bare)
        return match and balanced(match.group(2)) and (match.span(2), "!(", ")")

    @staticmethod
    def is_statement(bare):
        return STATEMENT.match(bare) and not DECLARATION.match(bare)


class TypeScript(C):
    """The language of the page."""

    swaps = {**SWAPS, "===": ["!=="], "!==": ["==="], ">>>": ["<<"], "??": ["||"]}
    operator = re.compile(r"===|!==|>>>|=>|\?\?|" + OPERATOR.pattern)
    nothing = ";"

    @staticmethod
    def mask(text):
        """As in C; templates count as strings. A regular expression stands where no value can end."""
        pattern = QUIET + r"|`(?:\\.|[^`\\])*`|(?<=[(,=:!&|?] )/(?:\\.|[^/\\\n])+/|(?<=[(!])/(?:\\.|[^/\\\n])+/|^(?:import|export) [^\n]*\bfrom\b[^\n]*"
        return re.sub(pattern, blanks, text, flags=re.DOTALL | re.MULTILINE)

    @staticmethod
    def condition(bare):
        match = re.search(r"\b(?:if|while) \(", bare)
        if not match:
            return None
        depth = 1
        for end in range(match.end(), len(bare)):
            depth += {"(": 1, ")": -1}.get(bare[end], 0)
            if depth == 0:
                return (match.end(), end), "!(", ")"
        return None

    @staticmethod
    def code(text):
        """What the text means, without layout, names of locals, comments and types; None where it means nothing."""
        done = subprocess.run(["esbuild", "--loader=ts", "--minify", "--log-level=silent"], input=text, text=True,
                              stdout=subprocess.PIPE, check=False)
        return None if done.returncode else done.stdout


class Python(C):
    """The language of the package."""

    swaps = {name: new for name, new in SWAPS.items() if name not in ("&&", "||", "++", "--", "&", "|", "|=")}
    operator = re.compile(r"->|\*\*|//|<<|>>|<=|>=|==|!=|[-+*/]=|[-+*/%<>]")
    word = re.compile(r"\b(True|False|break|continue|and|or|is not|not in|is)\b")
    words = {"True": "False", "False": "True", "break": "pass", "continue": "pass", "and": "or", "or": "and", "is not": "is",
             "not in": "in", "is": "is not"}
    negation = re.compile(r"(?<!is )\bnot (?!in\b)")
    nothing = "pass"

    @staticmethod
    def mask(text):
        """The text with comments, strings and what asserts, imports, types and signatures say blanked."""
        lines = text.split("\n")
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.COMMENT, tokenize.STRING):
                for row in range(token.start[0], token.end[0] + 1):
                    first = token.start[1] if row == token.start[0] else 0
                    last = token.end[1] if row == token.end[0] else len(lines[row - 1])
                    lines[row - 1] = lines[row - 1][:first] + " " * (last - first) + lines[row - 1][last:]
        return re.sub(r"^ *(?:import|from|assert|@)\b[^\n]*", blanks, "\n".join(lines), flags=re.MULTILINE)

    @staticmethod
    def condition(bare):
        match = re.match(r"\s*(?:if|elif|while) (.*):\s*$", bare)
        return match and balanced(match.group(1)) and (match.span(1), "not (", ")")

    @staticmethod
    def is_statement(bare):
        """A call, a raise, or a change of what is there: a name that was never given a value would be noticed by anybody."""
        whole = re.match(r"\s+(?:raise |[\w.]+(?:\[.*\])?(?:\(.*\)$| [-+*/|&]= )|[\w.]+(?:\.\w+|\[.*\]) = )", bare)
        return whole and balanced(bare, "([{", ")]}") and not bare.rstrip().endswith(("(", "[", "{", ",", ":", "\\"))

    @staticmethod
    def code(text):
        try:
            return ast.dump(ast.parse(text))
        except SyntaxError:
            return None


LANGUAGES = {".c": C, ".ts": TypeScript, ".py": Python}


def language_of(file):
    return LANGUAGES[re.search(r"\.\w+$", str(file)).group()]


def mutants_of(root, file):
    """Every bug that could be planted in the file."""
    language, text = language_of(file), (root / file).read_text()
    for number, (line, bare) in enumerate(zip(text.split("\n"), language.mask(text).split("\n")), 1):
        if bare.startswith(language.indent):
            yield from mutants_of_line(language, str(file), number, line, bare)


def mutants_of_line(language, file, number, line, bare):
    def put(kind, start, end, new):
        return Mutant(file, number, kind, line, line[:start] + new + line[end:])
    for match in language.operator.finditer(bare):
        for new in language.swaps.get(match.group(), []):
            if is_operator(bare, match):
                yield put("operator", *match.span(), new)
    for match in language.number.finditer(bare):
        for new in beside(match.group()):
            yield put("constant", *match.span(), new)
    for match in language.word.finditer(bare):
        yield put("word", *match.span(), language.words[match.group()])
    for match in language.negation.finditer(bare):
        yield put("negation", *match.span(), "")
    condition = language.condition(bare)
    if condition:
        (start, end), before, behind = condition
        yield put("condition", start, end, before + line[start:end] + behind)
    if language.is_statement(bare):
        yield put("dropped", len(bare) - len(bare.lstrip()), len(bare.rstrip()), language.nothing)
    for match in re.finditer(r"< ([\w>.-]+);", bare):
        yield put("bound", *match.span(1), match.group(1) + " - 1")


def is_operator(bare, match):
    """Not the arrow of a member, a sign, a pointer's star or an address: those have no blank on both sides."""
    if match.group() in ("++", "--"):
        return True
    return bare[match.start() - 1:match.start()] == " " and bare[match.end():match.end() + 1] == " "


def beside(number):
    if not number.isdigit():
        return [f"(2 * {number})", f"(0.5 * {number})"]
    value = int(number)
    return [str(value + 1)] + ([str(value - 1)] if value else [])


def balanced(text, opening="(", closing=")"):
    depth = 0
    for character in text:
        depth += (character in opening) - (character in closing)
        if depth < 0:
            return False
    return depth == 0


def blanks(match):
    return re.sub(r"[^\n]", " ", match.group())
