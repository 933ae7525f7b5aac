// Commands about the program itself: formats, completions, man.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/nearest.h"
#include "cli/commands/commands.h"
#include "cli/completions.h"
#include "cli/help.h"
#include "cli/man.h"
#include "cli/text_file.h"
#include "engine/engine.h"
#include "engine/formats.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

Result<ExitCode> show(std::string_view text) {
  TB_TRY(print(text));
  return kExitFine;
}

Result<ExitCode> no_arguments(std::span<const std::string> given) {
  if (given.empty()) return kExitFine;
  return fail(ErrorCode::Usage, fmt::format("unexpected argument '{}'", given[0]));
}

void add_format_fact(std::string_view what, std::string_view fact, std::string& text) {
  constexpr int kColumn = 13;
  if (!fact.empty()) text += fmt::format("    {:<9}{}\n", what, wrap(fact, 80 - kColumn, kColumn));
}

std::string format_list() {
  std::string text, refused;
  for (const FormatInfo& format : format_infos()) {
    if (format.tables.empty()) {
      refused += fmt::format("    {:<18}{}\n", format.name, format.title);
      continue;
    }
    text +=
        fmt::format("{}\n    {}\n    {}\n", format.name, format.title, wrap(format.about, 76, 4));
    add_format_fact("times", format.times, text);
    add_format_fact("anchors", format.anchors, text);
    add_format_fact("tables", format.tables, text);
  }
  return text +
         "\n"
         "Archives and compression, nested to any depth: zip, tar, gzip, zstd, xz.\n"
         "A merge manifest among the files is used; see 'tracebraid manifest --help'.\n\n"
         "Recognised, but not read:\n"
         "" +
         refused;
}

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

Result<ExitCode> run_completions(std::span<const std::string> given) {
  if (given.size() != 1)
    return fail(ErrorCode::Usage, fmt::format("name one shell: {}", fmt::join(kShells, ", ")));
  const std::vector<Command>& commands = all_commands();
  if (given[0] == "bash") return show(bash_completions(commands));
  if (given[0] == "zsh") return show(zsh_completions(commands));
  if (given[0] == "fish") return show(fish_completions(commands));
  std::string message =
      fmt::format("no completions for '{}', only for {}", given[0], fmt::join(kShells, ", "));
  if (const auto near = nearest(given[0], kShells))
    message += fmt::format("; did you mean {}?", *near);
  return fail(ErrorCode::Usage, message);
}

}  // namespace

Command formats_command() {
  return {
      .name = "formats",
      .usage = "",
      .about = "list the trace formats that can be read",
      .details = "The content of a file decides its format, never its name.",
      .takes_files = false,
      .examples = {{"tracebraid formats", "all formats, with clocks and tables"}},
      .run = [](std::span<const std::string> given) -> Result<ExitCode> {
        TB_TRY(no_arguments(given));
        return show(format_list());
      },
  };
}

Command completions_command() {
  return {
      .name = "completions",
      .usage = "bash|zsh|fish",
      .about = "print the completion script for a shell",
      .details = "The script completes commands, options, values of options and file names.",
      .words = {std::begin(kShells), std::end(kShells)},
      .takes_files = false,
      .examples = {{"source <(tracebraid completions bash)", "for the current shell"},
                   {"tracebraid completions fish > ~/.config/fish/completions/tracebraid.fish",
                    "for all future sessions of fish"}},
      .run = run_completions,
  };
}

Command man_command() {
  return {
      .name = "man",
      .usage = "",
      .about = "print the manual page",
      .details = "Prints the page in roff, the input of man.",
      .takes_files = false,
      .examples = {{"tracebraid man | man -l -", "read it"},
                   {"tracebraid man > /usr/local/share/man/man1/tracebraid.1", "install it"}},
      .run = [](std::span<const std::string> given) -> Result<ExitCode> {
        TB_TRY(no_arguments(given));
        return show(man_page(all_commands(), version()));
      },
  };
}

}  // namespace tracebraid
