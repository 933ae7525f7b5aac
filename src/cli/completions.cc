#include "cli/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tracebraid {
namespace {

// Returns the words of the name: "manifest" and "validate"; most commands have no second word.
std::pair<std::string_view, std::string_view> words_of(const Command& command) {
  const size_t space = command.name.find(' ');
  if (space == command.name.npos) return {command.name, {}};
  return {command.name.substr(0, space), command.name.substr(space + 1)};
}

// Returns the completions of the second word: commands of a command, and values of the first
// argument.
std::vector<std::string_view> second_words(std::span<const Command> commands,
                                           const Command& command) {
  std::vector<std::string_view> words = command.words;
  for (const Command& other : commands)
    if (const auto [first, second] = words_of(other); first == command.name && !second.empty())
      words.push_back(second);
  return words;
}

std::vector<std::string_view> first_words(std::span<const Command> commands) {
  std::vector<std::string_view> words;
  for (const Command& command : commands)
    if (words_of(command).second.empty()) words.push_back(command.name);
  words.push_back("help");
  return words;
}

template <class Visit>
void for_each_option(const Command& command, const Visit& visit) {
  for (const OptionGroup& group : command.groups)
    for (const Option& option : group.options) visit(option);
}

bool is_file(const Option& option) {
  constexpr std::string_view kPaths[] = {"FILE", "FOLDER", "OUT", "PATH"};
  return std::ranges::find(kPaths, option.value) != std::end(kPaths);
}

// Returns the values to complete.
const std::vector<std::string_view>& values_of(const Option& option) {
  return option.choices.empty() ? option.usual : option.choices;
}

// Returns `text` with a backslash before each character of `special`.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != special.npos) result += '\\';
    result += c;
  }
  return result;
}

// Returns `text` as one word of a shell, in single quotes.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// Returns the branch of a `case` that completes the value of an option.
std::string bash_value(const Command& command, const Option& option) {
  std::vector<std::string> patterns;
  for (const std::string_view flag : flag_names(option))
    patterns.push_back(fmt::format("'{}:{}'", command.name, flag));
  const std::string action = !values_of(option).empty()
                                 ? fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))",
                                               fmt::join(values_of(option), " "))
                             : is_file(option) ? "compopt -o default"
                                               : ":";
  return fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), action);
}

// Returns '(-f --format)'{-f,--format}'[How to print rows.]:FORMAT:(csv json)'.
std::string zsh_option(const Option& option) {
  const auto names = flag_names(option);
  std::string text = fmt::format("[{}]", escaped(option.about, "[]:\\"));
  if (!option.value.empty()) {
    const std::string action = !values_of(option).empty()
                                   ? fmt::format("({})", fmt::join(values_of(option), " "))
                               : is_file(option) ? "_files"
                                                 : " ";
    text += fmt::format(":{}:{}", option.value, action);
  }
  if (names.size() == 1) return std::string(names[0]) + quoted(text);
  return fmt::format("'({})'{{{}}}{}", fmt::join(names, " "), fmt::join(names, ","), quoted(text));
}

std::string fish_option(std::string_view condition, const Option& option) {
  std::string line = fmt::format("complete -c tracebraid -n {}", quoted(condition));
  for (const std::string_view flag : flag_names(option))
    line += flag.starts_with("--") ? fmt::format(" -l {}", flag.substr(2))
                                   : fmt::format(" -s {}", flag.substr(1));
  if (!values_of(option).empty())
    line += fmt::format(" -x -a '{}'", fmt::join(values_of(option), " "));
  else if (is_file(option))
    line += " -r -F";
  else if (!option.value.empty())
    line += " -x";
  return line + fmt::format(" -d {}\n", quoted(option.about));
}

}  // namespace

std::string bash_completions(std::span<const Command> commands) {
  std::string values, options, arguments, pairs;
  for (const Command& command : commands) {
    std::vector<std::string_view> flags = {"--help"};
    for_each_option(command, [&](const Option& option) {
      std::ranges::copy(flag_names(option), std::back_inserter(flags));
      if (!option.value.empty()) values += bash_value(command, option);
    });
    options += fmt::format("      '{}') words='{}' ;;\n", command.name, fmt::join(flags, " "));
    const auto seconds = second_words(commands, command);
    arguments += fmt::format("    '{}') words='{}'; files={} ;;\n", command.name,
                             fmt::join(seconds, " "), command.takes_files ? 1 : 0);
    if (!words_of(command).second.empty())
      pairs += fmt::format("    '{0}') command='{0}' ;;\n", command.name);
  }
  return fmt::format(
      R"(# bash completion for tracebraid: source it, or put it where bash-completion looks.
_tracebraid() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words= files=1
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$cur"))
    return
  fi
  # "--format=c" arrives as three words.
  if [[ $cur == '=' ]]; then cur=; elif [[ $prev == '=' ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  local command=${{COMP_WORDS[1]}}
  ((COMP_CWORD > 2)) && case "$command ${{COMP_WORDS[2]}}" in
{}  esac
  case "$command:$prev" in
{}  esac
  if [[ $cur == -* ]]; then
    case "$command" in
{}    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case "$command" in
    help) words='{}'; files=0 ;;
{}  esac
  ((COMP_CWORD == 2)) && COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if ((files)); then
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}}
complete -F _tracebraid tracebraid
)",
      fmt::join(first_words(commands), " "), pairs, values, options,
      fmt::join(first_words(commands), " "), arguments);
}

std::string zsh_completions(std::span<const Command> commands) {
  std::string names, cases;
  for (const Command& command : commands) {
    const auto [first, second] = words_of(command);
    if (second.empty())
      names +=
          fmt::format("    {}\n", quoted(fmt::format("{}:{}", first, escaped(command.about, ":"))));
    std::string arguments;
    for_each_option(command, [&](const Option& option) {
      arguments += fmt::format("        {} \\\n", zsh_option(option));
    });
    arguments += "        '(-h --help)'{-h,--help}'[Help]'";
    const auto seconds = second_words(commands, command);
    if (!seconds.empty())
      arguments += fmt::format(" \\\n        '1:argument:({})'", fmt::join(seconds, " "));
    if (command.takes_files) arguments += " \\\n        '*:file:_files'";
    cases +=
        fmt::format("    '{}')\n      _arguments -s \\\n{}\n      ;;\n", command.name, arguments);
  }
  std::string pairs;
  for (const Command& command : commands)
    if (!words_of(command).second.empty())
      pairs += fmt::format(
          "  if [[ \"$command $words[2]\" == '{0}' ]] && (( CURRENT > 2 )); then command='{0}'; "
          "shift words; (( CURRENT-- )); fi\n",
          command.name);
  return fmt::format(R"(#compdef tracebraid
# zsh completion for tracebraid: put it into a folder of $fpath as _tracebraid.
_tracebraid() {{
  local -a commands=(
{}    'help:Explain a command'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  local command=$words[1]
{}  case "$command" in
    help) _describe command commands ;;
{}  esac
}}
_tracebraid "$@"
)",
                     names, pairs, cases);
}

std::string fish_completions(std::span<const Command> commands) {
  std::string text =
      "# fish completion for tracebraid: put it into ~/.config/fish/completions/tracebraid.fish.\n"
      "complete -c tracebraid -f -n __fish_use_subcommand -a help -d 'Explain a command'\n";
  text += fmt::format("complete -c tracebraid -f -n '__fish_seen_subcommand_from help' -a '{}'\n",
                      fmt::join(first_words(commands), " "));
  for (const Command& command : commands) {
    const auto [first, second] = words_of(command);
    std::string condition = fmt::format("__fish_seen_subcommand_from {}", first);
    if (second.empty()) {
      text += fmt::format("complete -c tracebraid -f -n __fish_use_subcommand -a {} -d {}\n", first,
                          quoted(command.about));
    } else {
      condition += fmt::format("; and __fish_seen_subcommand_from {}", second);
    }
    for (const std::string_view word : second_words(commands, command))
      text += fmt::format("complete -c tracebraid -n {} -a {}\n", quoted(condition), word);
    if (!command.takes_files)
      text += fmt::format("complete -c tracebraid -f -n {}\n", quoted(condition));
    for_each_option(command, [&](const Option& option) { text += fish_option(condition, option); });
  }
  return text;
}

}  // namespace tracebraid
