#include "cli/run.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <system_error>

#include "base/assert.h"
#include "base/nearest.h"
#include "cli/commands/commands.h"
#include "cli/fleet_worker.h"
#include "cli/help.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/no_memory.h"
#include "cli/parse.h"
#include "cli/text_file.h"
#include "engine/engine.h"

namespace tracebraid {
namespace {

constexpr int kSignalled = 128;  // plus the number of the signal, as shells expect

// The command that the first one or two words name, and the number of these words.
struct Chosen {
  const Command* command = nullptr;
  size_t words = 0;
};

Chosen choose(std::span<const std::string> words) {
  Chosen chosen;
  for (const Command& command : all_commands()) {
    const bool two = words.size() > 1 && command.name == words[0] + " " + words[1];
    if (two) return {&command, 2};
    if (command.name == words[0]) chosen = {&command, 1};
  }
  return chosen;
}

Error unknown_command(std::string_view word) {
  if (word.starts_with('-'))
    return {
        ErrorCode::Usage,
        fmt::format(
            "{} precedes the command; options follow it, as in 'tracebraid check --strict FILE'",
            word)};
  std::vector<std::string_view> names = {"help"};
  for (const Command& command : all_commands()) names.push_back(command.name);
  std::string message = fmt::format("there is no command '{}'", word);
  if (const auto near = nearest(word, names)) message += fmt::format("; did you mean {}?", *near);
  return {ErrorCode::Usage, message};
}

// Aborts, which keeps the state of the program for a debugger.
[[noreturn]] void end_by_mistake(std::string_view message) {
  std::fprintf(stderr, "tracebraid: %.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

int report(const Error& error, std::string_view command) {
  if (error.code == ErrorCode::Internal) end_by_mistake(error.message);
  if (error.code == ErrorCode::NoMemory)
    report_no_memory();
  else
    print_error(error.message);
  if (!error.hint.empty()) print_note(error.hint);
  if (error.code == ErrorCode::Usage)
    print_note(fmt::format("see 'tracebraid{}{} --help'", command.empty() ? "" : " ", command));
  const int code = exit_code(error.code);
  return code == kExitInterrupted ? kSignalled + stopping_signal().value_or(SIGINT) : code;
}

int show(std::string_view text) {
  const Result<> printed = print(text);
  return printed ? kExitFine : report(printed.error(), "");
}

// Makes `tracebraid help query` the same as `tracebraid query --help`.
int print_help(std::span<const std::string> words) {
  if (words.empty()) return show(program_help());
  const Chosen chosen = choose(words);
  return chosen.command == nullptr ? report(unknown_command(words[0]), "")
                                   : show(command_help(*chosen.command));
}

int run_words(std::vector<std::string> words) {
  if (words.empty()) {
    const std::string text = program_help();
    std::fwrite(text.data(), 1, text.size(), stderr);
    return kExitUsage;
  }
  if (words[0] == "--version" || words[0] == "-V")
    return show(fmt::format("tracebraid {}\n", version()));
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help")
    return print_help(std::span(words).subspan(1));

  if (words[0] == kFleetWorker) {
    const Result<> ran = run_fleet_worker();
    return ran ? kExitFine : report(ran.error(), "");
  }
  const bool is_httpd = words[0] == "-D" || words[0] == "--httpd";
  const Command httpd = is_httpd ? httpd_command() : Command();
  const Chosen chosen = is_httpd ? Chosen{&httpd, 1} : choose(words);
  if (chosen.command == nullptr) return report(unknown_command(words[0]), "");
  const Command& command = *chosen.command;
  words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(chosen.words));
  const Result<Parsed> parsed = parse_arguments(command, std::move(words));
  if (!parsed) return report(parsed.error(), command.name);
  if (parsed->help) return show(command_help(command));
  const Result<ExitCode> code = command.run(parsed->arguments);
  report_exceeded_limit();
  if (!code) return report(code.error(), command.name);
  const std::optional<Error> damage = damage_at_end();
  return damage ? report(*damage, command.name) : *code;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  // A closed pipe becomes an error of write(), which Output handles.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // the same for the limit of file sizes
  try {
    return run_words({argv + 1, argv + argc});
  } catch (const InternalError& error) {
    end_by_mistake(error.what());
  } catch (const std::bad_alloc&) {
    report_no_memory();
    return kExitInput;
  } catch (const std::system_error& error) {  // from a thread that is not a worker
    print_error(fmt::format("cannot start a thread: {}", error.code().message()));
    return kExitInput;
  }
}

}  // namespace tracebraid
