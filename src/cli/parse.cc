#include "cli/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/nearest.h"
#include "base/words.h"
#include "engine/options.h"

namespace tracebraid {
namespace {

// Parses a quantity. Catches the exceptions by which CLI11 reports an invalid value.
void set_quantity(const std::string& text, const std::string& name, uint64_t& target) {
  const Result<uint64_t> value = parse_quantity(text);
  if (!value) throw CLI::ValidationError(name, value.error().message);
  target = *value;
}

void set_number(const std::string& text, const std::string& name, unsigned& target) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), target);
  if (error != std::errc() || stop != text.data() + text.size())
    throw CLI::ValidationError(name, fmt::format("'{}' is not a whole number", text));
}

void set_text(const std::string& text, const std::string& name, const Option& option) {
  const auto& choices = option.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
    std::string message = fmt::format("'{}' is not one of {}", text, fmt::join(choices, ", "));
    if (const auto near = nearest(text, choices))
      message += fmt::format("; did you mean {}?", *near);
    throw CLI::ValidationError(name, message);
  }
  *std::get<std::string*>(option.target) = text;
}

// CLI11 passes "true" for a switch without a value.
void add_switch_with_all(CLI::App& app, const std::string& flags, bool& flag, bool& all) {
  app.add_flag(flags)->each([&flag, &all, flags](const std::string& text) {
    if (text != "true" && text != "all")
      throw CLI::ValidationError(flags, fmt::format("'{}' is not all", text));
    flag = true;
    all |= text == "all";
  });
}

void add_switch_with_number(CLI::App& app, const std::string& flags, bool& flag,
                            std::string& number) {
  app.add_flag(flags)->each([&flag, &number](const std::string& text) {
    flag = true;
    if (text != "true") number = text;
  });
}

void add_option(CLI::App& app, const Option& option) {
  const std::string flags(option.flags);
  const std::string name(flag_names(option).back());
  if (option.number != nullptr)
    return add_switch_with_number(app, flags, *std::get<bool*>(option.target), *option.number);
  if (bool* const* flag = std::get_if<bool*>(&option.target)) {
    if (option.all == nullptr)
      app.add_flag(flags, **flag);
    else
      add_switch_with_all(app, flags, **flag, *option.all);
    return;
  }
  if (std::vector<std::string>* const* all =
          std::get_if<std::vector<std::string>*>(&option.target)) {
    app.add_option(flags, **all)->allow_extra_args(false)->type_name(std::string(option.value));
    return;
  }
  app.add_option_function<std::string>(
         flags,
         [&option, name](const std::string& text) {
           if (unsigned* const* number = std::get_if<unsigned*>(&option.target))
             set_number(text, name, **number);
           else if (uint64_t* const* quantity = std::get_if<uint64_t*>(&option.target))
             set_quantity(text, name, **quantity);
           else
             set_text(text, name, option);
         })
      ->take_last()
      ->type_name(std::string(option.value));
}

// Joins a switch and the number behind it, as "--rpc=9001".
void join_numbers(const Command& command, std::vector<std::string>& arguments) {
  const auto takes_number = [&](std::string_view argument) {
    for (const OptionGroup& group : command.groups)
      for (const Option& option : group.options)
        if (option.number != nullptr && option.flags == argument) return true;
    return false;
  };
  for (size_t i = 0; i + 1 < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& next = arguments[i + 1];
    if (!takes_number(arguments[i]) || next.empty() || !std::ranges::all_of(next, is_digit))
      continue;
    arguments[i] += "=" + next;
    arguments.erase(arguments.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
}

bool is_help(std::string_view argument) { return argument == "--help" || argument == "-h"; }

bool looks_like_option(std::string_view argument) {
  if (!argument.starts_with('-')) return false;
  argument.remove_prefix(argument.starts_with("--") ? 2 : 1);
  return !argument.empty() && std::isalnum(static_cast<unsigned char>(argument[0])) != 0;
}

Error unknown_option(const Command& command, std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  std::vector<std::string_view> names = {"--help"};
  for (const OptionGroup& group : command.groups)
    for (const Option& option : group.options)
      for (const std::string_view flag : flag_names(option))
        if (flag.starts_with("--")) names.push_back(flag);
  std::string message = fmt::format("'{}' has no option {}", command.name, name);
  if (const auto near = nearest(name, names)) message += fmt::format("; did you mean {}?", *near);
  return {ErrorCode::Usage, message};
}

}  // namespace

Result<Parsed> parse_arguments(const Command& command, std::vector<std::string> arguments) {
  // Handles --help before any option is set, so that help shows the defaults.
  const auto end = std::ranges::find(arguments, "--");
  if (std::find_if(arguments.begin(), end, is_help) != end) return Parsed{.help = true};
  join_numbers(command, arguments);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();  // unknown options are reported here, not by CLI11
  for (const OptionGroup& group : command.groups)
    for (const Option& option : group.options) add_option(app, option);

  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants a vector
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::Usage, error.what());
  }

  Parsed parsed;
  bool only_arguments = false;  // after "--"
  for (std::string& argument : app.remaining()) {
    if (!only_arguments && argument == "--") {
      only_arguments = true;
    } else if (!only_arguments && looks_like_option(argument)) {
      return tl::unexpected(unknown_option(command, argument));
    } else {
      parsed.arguments.push_back(std::move(argument));
    }
  }
  return parsed;
}

}  // namespace tracebraid
