// Command: the declaration of one subcommand. Parsing, --help, the man page and the shell
// completions are derived from it, so they agree.
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

// The exit codes of the program; --help and the man page list them.
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
// Returns the error of a statement that was run: its limits of time and size end the program with
// kExitSql, those of reading a trace with kExitInput.
Error error_of_query(Error error);

// The variable that receives the value of an option; it must outlive the parse.
using Target = std::variant<bool*,                      // a switch
                            std::string*,               // the last value given
                            std::vector<std::string>*,  // all values given
                            unsigned*,                  // a plain number
                            uint64_t*>;  // a number that may end in K, M, G or T (of 1024)

struct Option {
  std::string_view flags;  // "-o,--output"
  // Name of the value; FILE, FOLDER, OUT and PATH complete file names; empty: a switch.
  std::string_view value;
  std::string_view about;
  Target target;
  std::vector<std::string_view> choices = {};  // if not empty: the allowed values
  std::vector<std::string_view> usual = {};    // values to complete, among others
  bool* all = nullptr;  // of a switch that may be given as "--switch=all", which sets this, too
  // Of a switch that may be followed by a number, "--switch 9001" or "--switch=9001".
  std::string* number = nullptr;
};

struct OptionGroup {
  std::string_view title;
  std::vector<Option> options;
  bool shared = false;  // shared by several commands, so the man page explains it once
};

struct Example {
  std::string_view command;
  std::string_view about;
};

struct Command {
  std::string_view name;   // "query"; two words for a command of a command: "manifest validate"
  std::string_view usage;  // arguments after the options: "FILE..."
  std::string_view about;  // one line, no full stop
  std::string_view details = {};             // paragraphs, separated by an empty line
  std::vector<std::string_view> words = {};  // values of the first argument, for completion
  bool takes_files = true;                   // arguments complete as file names
  std::vector<OptionGroup> groups = {};
  std::vector<Example> examples = {};
  // Runs the command with the arguments that are not options. Returns the exit code, or the Error
  // that determines it.
  std::function<Result<ExitCode>(std::span<const std::string> arguments)> run;
};

// Splits "-o,--output"; long flags come last.
std::vector<std::string_view> flag_names(const Option& option);

}  // namespace tracebraid
