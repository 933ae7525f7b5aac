#include "cli/man.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "engine/rows.h"

namespace tracebraid {
namespace {

// Escapes text for roff: backslashes, dashes and leading dots.
std::string roff(std::string_view text) {
  std::string result;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    line_starts = c == '\n';
  }
  return result;
}

// Turns "list files" into "List files."
std::string sentence(std::string_view about) {
  std::string result(about);
  if (result[0] >= 'a' && result[0] <= 'z') result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result + ".";
}

// Splits the text into paragraphs at empty lines.
std::string paragraphs(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t cut = text.find("\n\n");
    result += fmt::format(".PP\n{}\n", roff(text.substr(0, cut)));
    text = cut == text.npos ? std::string_view() : text.substr(cut + 2);
  }
  return result;
}

std::string option_entry(const Option& option) {
  std::vector<std::string> names;
  for (const std::string_view flag : flag_names(option))
    names.push_back(fmt::format("\\fB{}\\fR", roff(flag)));
  std::string head = fmt::format("{}", fmt::join(names, ", "));
  if (!option.value.empty()) head += fmt::format(" \\fI{}\\fR", roff(option.value));
  std::string about(option.about);
  if (!option.choices.empty()) about += fmt::format(" One of {}.", fmt::join(option.choices, ", "));
  return fmt::format(".TP\n{}\n{}\n", head, roff(about));
}

std::string group_entries(const OptionGroup& group) {
  std::string text;
  for (const Option& option : group.options) text += option_entry(option);
  return text;
}

std::string command_section(const Command& command) {
  std::string text =
      fmt::format(".SS tracebraid {}\n\\fBtracebraid {}\\fR [\\fIOPTION\\fR]... {}\n",
                  roff(command.name), roff(command.name), roff(command.usage));
  text += paragraphs(sentence(command.about));
  text += paragraphs(command.details);
  bool shared = false;
  for (const OptionGroup& group : command.groups) {
    shared |= group.shared;
    if (!group.shared) text += group_entries(group);
  }
  if (shared) text += ".PP\nThe options for reading traces, below, apply too.\n";
  if (!command.examples.empty()) text += ".PP\nExamples:\n";
  for (const Example& example : command.examples)
    text += fmt::format(".PP\n.nf\n.RS\n# {}\n{}\n.RE\n.fi\n", roff(example.about),
                        roff(example.command));
  return text;
}

}  // namespace

std::string man_page(std::span<const Command> commands, std::string_view version) {
  std::string text = fmt::format(
      ".TH TRACEBRAID 1 \"\" \"tracebraid {}\" \"User Commands\"\n"
      ".SH NAME\ntracebraid \\- merge trace files with different clocks and query them with SQL\n"
      ".SH SYNOPSIS\n.B tracebraid\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
      ".SH DESCRIPTION\n",
      version);
  text += paragraphs(
      "Reads trace files of several formats, alone or in archives (ZIP, TAR, gzip, zstd, xz, "
      "nested to any depth), relates their clocks, puts every event onto one timeline and runs "
      "SQL on the result. The content of a file decides its format, never its name. An input may "
      "also be a directory; - is standard input.");
  text += ".SH COMMANDS\n";
  for (const Command& command : commands) text += command_section(command);

  std::set<std::string_view> explained;
  for (const Command& command : commands)
    for (const OptionGroup& group : command.groups)
      if (group.shared && explained.insert(group.title).second)
        text += fmt::format(".SH \"{}\"\n{}", roff(group.title), group_entries(group));

  text += ".SH \"OUTPUT FORMATS\"\n";
  for (const RowFormat& format : row_formats())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", format.name, roff(format.about));
  text += ".SH \"EXIT STATUS\"\n";
  for (const ExitStatus& status : exit_statuses())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(status.code), roff(status.about));
  text +=
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBNO_COLOR\\fR\nIf set and not empty, messages have no colours.\n"
      ".TP\n\\fBXDG_STATE_HOME\\fR\nThe history of the shell is in tracebraid/history below it; "
      "~/.local/state if not set.\n"
      ".TP\n\\fBTMPDIR\\fR\nWhere standard input and large compressed archives are kept while they "
      "are read; /tmp if not set.\n";
  return text;
}

}  // namespace tracebraid
