// Command: one subcommand of the program as a value. Parsing, --help, the man
// page and the shell completions are all made from it, so they cannot drift.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace tracebraid {

// What the program ends with; --help and the man page list them.
enum ExitCode : int {
  kExitFine = 0,
  kExitTrouble = 1,
  kExitUsage = 2,
  kExitInput = 3,
  kExitSql = 4,
  kExitInterrupted = 130,  // 128 + SIGINT, as shells expect
  kExitInternal = 134,     // 128 + SIGABRT
};
struct ExitStatus {
  ExitCode code;
  std::string_view about;
};
std::span<const ExitStatus> exit_statuses();
ExitCode exit_code(ErrorCode code);

// Where the value of an option goes. The variable outlives the parse.
using Target = std::variant<bool*,                      // a switch
                            std::string*,               // the last one given
                            std::vector<std::string>*,  // all that are given
                            unsigned*,                  // a plain number
                            uint64_t*>;  // a number that may end in K, M, G or T (of 1024)

struct Option {
  std::string_view flags;  // "-o,--output"
  std::string_view value;  // what the value is called; "FILE" completes file names; empty: a switch
  std::string_view about;
  Target target;
  std::vector<std::string_view> choices = {};  // if not empty: nothing else is allowed
};

struct OptionGroup {
  std::string_view title;
  std::vector<Option> options;
  bool shared = false;  // with other commands: the manual explains it once
};

struct Example {
  std::string_view command;
  std::string_view about;
};

struct Command {
  std::string_view name;   // "query"; two words for a command of a command: "manifest validate"
  std::string_view usage;  // what follows the options: "FILE..."
  std::string_view about;  // one line, no full stop
  std::string_view details = {};             // paragraphs, separated by an empty line
  std::vector<std::string_view> words = {};  // what the first argument can be, for completion
  bool takes_files = true;                   // arguments complete as file names
  std::vector<OptionGroup> groups = {};
  std::vector<Example> examples = {};
  // Runs with the arguments that are not options. The exit code, or the Error
  // that decides it.
  std::function<Result<ExitCode>(std::span<const std::string> arguments)> run;
};

// "-o,--output": the parts. Long ones come last.
std::vector<std::string_view> flag_names(const Option& option);

}  // namespace tracebraid
