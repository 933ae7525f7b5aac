#!/usr/bin/env python3
"""What the objects of the library call and define, as nm sees it.

    library_symbols_test.py LIBRARY.a LIBRARY.so

Checked of LIBRARY.a, which holds our objects and no other:

* none refers to a function that ends the process, changes its signals, locale or environment,
  reads the environment, starts a process or loads a library, or to a standard stream; but the
  sources that EXCEPTIONS of tools/forbidden_calls.py names for that call
* none defines operator new, operator delete, malloc or free

* none has writable data, but constants (kName) and what STATE names, so that engines of one process
  share no state

Checked of LIBRARY.so: it exports no allocation function.

std::terminate is left out: compilers call it where a noexcept function throws.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tools"))
from forbidden_calls import EXCEPTIONS  # noqa: E402

FORBIDDEN = set(
    "exit _exit _Exit quick_exit abort atexit at_quick_exit signal bsd_signal __sysv_signal "
    "sigaction sigprocmask raise kill alarm setitimer fork vfork execv execve execvp posix_spawn "
    "system popen setlocale chdir fchdir umask setenv unsetenv putenv clearenv mallopt setrlimit "
    "sqlite3_config sqlite3_shutdown pthread_atfork __register_atfork getenv secure_getenv isatty "
    "dlopen printf puts putchar perror scanf getchar stdin stdout stderr _ZSt4cout _ZSt4cerr "
    "_ZSt4clog _ZSt3cin prctl pthread_setname_np".split())
# Writable data of functions, and why.
STATE = {
    "tracebraid::(anonymous namespace)::loops()::found": "set once: what the processor can do",
    "tracebraid::systrace::(anonymous namespace)::handlers()::all": "set once: a list of functions",
    "tracebraid::(anonymous namespace)::table_module()::module": "set once: a list of functions",
    "tracebraid::(anonymous namespace)::function_module()::module": "set once: a list of functions",
    "tracebraid::(anonymous namespace)::view_function_module()::module": "set once: a list of functions",
    "tracebraid::(anonymous namespace)::file_methods()::methods": "set once: a list of functions",
    "tracebraid::inflate_whole(std::basic_string_view<char, std::char_traits<char> >, char*, "
    "unsigned long)::state": "scratch memory of a thread, freed at its end",
    "tracebraid::(anonymous namespace)::registry()::made": "the mappings that a handler of signals knows",
    "tracebraid::(anonymous namespace)::g_registry": "of a handler of signals, which reaches nothing else",
    "tracebraid::(anonymous namespace)::g_page_size": "of a handler of signals",
    "tracebraid::(anonymous namespace)::g_is_on": "of a handler of signals",
    "tracebraid::(anonymous namespace)::g_before": "of a handler of signals",
    "tracebraid::ArgsTable::set_of(unsigned long) const::last":
        "of a thread: where a search begins; any value gives the same result",
}
CONSTANT = re.compile(r"(::|^)k[A-Z]\w*(\[abi:cxx11\])?$")
ALLOCATION = ("_Znw", "_Zna", "_Zdl", "_Zda")
C_ALLOCATION = {"malloc", "free", "calloc", "realloc", "aligned_alloc", "posix_memalign"}


def nm(*arguments):
    """(object, name, type) of each symbol."""
    text = subprocess.run(["nm", "-A", "--format=posix", *arguments], text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    for line in text.splitlines():
        place, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        yield place[place.rfind("[") + 1:].rstrip("]") if "[" in place else place, \
            name.split("@")[0], kind


def defines_allocation(name, kind):
    return kind in "TW" and (name.startswith(ALLOCATION) or name in C_ALLOCATION)


def writable_data(archive):
    """(object, name) of each variable of ours that is not read-only."""
    text = subprocess.run(["objdump", "-t", "-C", archive], text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    place = ""
    for line in text.splitlines():
        if "file format" in line:
            place = line.split(":")[0]
        found = re.match(r"[0-9a-f]+ .{7} \.(?:t?bss|t?data)(?!\.rel\.ro)\S*\t[0-9a-f]+ (.*)", line)
        name = found[1].removeprefix(".hidden ").strip() if found else ""
        if name.startswith("tracebraid::"):
            yield place, name


def main():
    archive, shared = sys.argv[1:]
    excepted = {(path.rsplit("/", 1)[-1] + ".o", name) for path, name, *_ in EXCEPTIONS}
    faults, objects, needed = [], set(), set()
    for place, name, kind in nm(archive):
        objects.add(place)
        if kind == "U" and name in FORBIDDEN:
            if (place, name) in excepted:
                needed.add((place, name))
            else:
                faults.append(f"{place} refers to {name}")
        if defines_allocation(name, kind):
            faults.append(f"{place} defines {name}")
    for place, name in writable_data(archive):
        if not CONSTANT.search(name) and name not in STATE:
            faults.append(f"{place} has writable data: {name}")
    for place, name, kind in nm("-D", "--defined-only", shared):
        if defines_allocation(name, kind):
            faults.append(f"{shared} exports {name}")
    if len(objects) < 100:
        faults.append(f"{archive} holds only {len(objects)} objects")
    print(f"{len(objects)} objects; excepted: {sorted(needed)}")
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
