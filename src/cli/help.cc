#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/commands.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kAboutColumn = 26;  // where the explanations of options begin

// Returns "  -f, --format FORMAT   How to print rows."
std::string entry(std::string_view head, std::string_view about) {
  std::string text = fmt::format("  {}", head);
  const size_t pad = text.size() + 2 > kAboutColumn ? 0 : kAboutColumn - text.size();
  text += pad == 0 ? "\n" + std::string(kAboutColumn, ' ') : std::string(pad, ' ');
  return text + wrap(about, kWidth - kAboutColumn, kAboutColumn) + "\n";
}

// Returns the default of the option; empty if there is none.
std::string preset_text(const Option& option) {
  if (std::string* const* text = std::get_if<std::string*>(&option.target)) return **text;
  uint64_t number = 0;
  if (unsigned* const* plain = std::get_if<unsigned*>(&option.target)) number = **plain;
  if (uint64_t* const* quantity = std::get_if<uint64_t*>(&option.target)) number = **quantity;
  if (number == 0) return {};
  size_t power = 0;
  for (; power < 4 && number % 1024 == 0; ++power) number /= 1024;
  constexpr const char* kUnits[] = {"", "K", "M", "G", "T"};
  return fmt::format("{}{}", number, kUnits[power]);
}

std::string option_entry(const Option& option) {
  const auto names = flag_names(option);
  std::string head = names.size() == 1 ? fmt::format("    {}", names[0])
                                       : fmt::format("{}", fmt::join(names, ", "));
  if (!option.value.empty()) head += fmt::format(" {}", option.value);
  std::string about(option.about);
  if (!option.choices.empty()) about += fmt::format(" One of {}.", fmt::join(option.choices, ", "));
  if (const std::string preset = preset_text(option); !preset.empty())
    about += fmt::format(" Default: {}.", preset);
  return entry(head, about);
}

std::string exit_status_section() {
  std::string text = "\nExit status:\n";
  for (const ExitStatus& status : exit_statuses())
    text += entry(fmt::format("{}", static_cast<int>(status.code)), status.about);
  return text;
}

}  // namespace

std::string program_help() {
  std::string text =
      "tracebraid puts trace files with different clocks onto one timeline and runs SQL on "
      "them.\n\n"
      "Usage: tracebraid COMMAND [OPTION]... [ARGUMENT]...\n\n"
      "Commands:\n"
      "";
  for (const Command& command : all_commands()) text += entry(command.name, command.about);
  text += "\nOptions:\n";
  text += entry("-h, --help", "Print this help; 'tracebraid COMMAND --help' describes a command.");
  text += entry("-V, --version", "Print the version.");
  return text + exit_status_section();
}

std::string command_help(const Command& command) {
  std::string text = fmt::format("tracebraid {}: {}\n\nUsage: tracebraid {} [OPTION]... {}\n",
                                 command.name, command.about, command.name, command.usage);
  if (!command.details.empty()) text += "\n" + wrap(command.details, kWidth, 0) + "\n";
  for (const OptionGroup& group : command.groups) {
    text += fmt::format("\n{}:\n", group.title);
    for (const Option& option : group.options) text += option_entry(option);
  }
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : command.examples)
    text += fmt::format("  # {}\n  {}\n", example.about, example.command);
  return text + exit_status_section();
}

}  // namespace tracebraid
