"""Searches the sources of the library for calls that it must not make in the process of its host.

The library is every folder of src/ except the programs, PROGRAMS. It must not end the process,
change its signals, its locale or its environment, read the environment, read or write the standard
streams, look for the host's own file, load libraries, or read wall-clock time: the host provides
what the library needs. EXCEPTIONS lists each remaining use with its reason; an unnecessary exception
is a fault, too.

tools/check_layers.py runs this (test `layers`).
"""
import re

PROGRAMS = ("cli", "generate")

CALLS = (
    "exit _exit _Exit quick_exit abort terminate atexit at_quick_exit "  # end the process
    "signal sigaction sigprocmask "                                       # signals
    "setlocale chdir umask setenv unsetenv putenv mallopt setrlimit sqlite3_config pthread_atfork "
    "getenv secure_getenv isatty system popen dlopen "
    "printf puts putchar perror scanf getchar").split()
PATTERNS = {
    **{call: rf"(?<![\w.])(?<!->){call}\s*\(" for call in CALLS},
    **{stream: rf"\b{stream}\b" for stream in ("stdin", "stdout", "stderr")},
    **{stream: rf"\bstd::{stream}\b" for stream in ("cin", "cout", "cerr", "clog")},
    **{fd: rf"\b{fd}\b" for fd in ("STDIN_FILENO", "STDOUT_FILENO", "STDERR_FILENO")},
    "system_clock::now": r"\bsystem_clock::now\b",
    "operator new": r"\boperator new(\[\])?\s*\(\s*(std::)?size_t",  # a replacement, not a call
}
# Searched in texts, where the others are allowed.
TEXTS = {"/proc/self": r"/proc/self"}

# File, call, number of uses, and reason.
EXCEPTIONS = [
    ("engine/engine.cc", "system_clock::now", 1,
     "the date when an engine is made, if the host passes none"),
    ("export/arrow/arrow_library.cc", "dlopen", 1,
     "the library that writes Parquet and Arrow, from the path that the host passes"),
    ("query/compile/connection.cc", "sqlite3_config", 1,
     "stop_counting_sqlite_memory(), which only a program calls"),
    ("base/guard_mapped_files.cc", "sigaction", 3, "guard_mapped_files(), which only a host calls"),
    ("container/source.cc", "STDIN_FILENO", 2, "the input '-', which only a program passes"),
    ("engine/merge_options.cc", "STDIN_FILENO", 1, "the input '-', which only a program passes"),
    ("format/perf/perf.cc", "exit", 3, "a member function, for records of that name"),
    ("assemble/kernel/pkvm.cc", "exit", 1, "a handler, for kernel events of that name"),
]


def blank(match):
    """Returns only the line breaks of the text."""
    return "\n" * match[0].count("\n")


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")',
                  lambda match: match[1] or blank(match), text, flags=re.S)


def without_texts(text):
    """Returns the text without comments, string literals and character literals."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', blank, text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', '""', without_comments(text))


def is_of_tests(path, included):
    """Returns whether a file is a test, or a header that no source of the library includes."""
    return path.stem.endswith("_test") or (path.suffix == ".h" and str(path) not in included)


def included_by_the_library(src, files):
    """Returns the headers that sources of the library include, directly or through headers."""
    names = {}
    for file in files:
        names[str(file.relative_to(src))] = re.findall(r'#\s*include\s+"([^"]+)"', file.read_text())
    reached, queue = set(), [path for path in names
                             if path.endswith(".cc") and not path.endswith("_test.cc")]
    while queue:
        for name in names.get(queue.pop(), []):
            if name not in reached:
                reached.add(name)
                queue.append(name)
    return reached


def forbidden_calls(src):
    """Yields a message for each forbidden use, and each unnecessary exception."""
    files = [file for file in sorted(src.rglob("*")) if file.suffix in (".h", ".cc", ".inc", ".in")]
    included = included_by_the_library(src, files)
    used = {}
    for file in files:
        path = file.relative_to(src)
        if path.parts[0] in PROGRAMS or is_of_tests(path, included):
            continue
        text = file.read_text()
        for patterns, looked_at in ((PATTERNS, without_texts(text)), (TEXTS, without_comments(text))):
            for name, pattern in patterns.items():
                for match in re.finditer(pattern, looked_at):
                    line = looked_at.count("\n", 0, match.start()) + 1
                    used.setdefault((str(path), name), []).append(line)
    for path, name, count, _ in EXCEPTIONS:
        lines = used.pop((path, name), [])
        if len(lines) > count:
            yield f"{src}/{path}:{lines[-1]}: the library may use {name} here {count} times"
        elif len(lines) < count:
            yield (f"{src}/{path}: uses {name} {len(lines)} times, but tools/forbidden_calls.py "
                   f"excepts {count}")
    for (path, name), lines in used.items():
        for line in lines:
            yield f"{src}/{path}:{line}: the library may not use {name} (tools/forbidden_calls.py)"
