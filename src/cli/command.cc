#include "cli/command.h"

namespace tracebraid {

std::span<const ExitStatus> exit_statuses() {
  static constexpr ExitStatus kStatuses[] = {
      {kExitFine, "success; warnings report parts of the input that could not be read"},
      {kExitTrouble, "check, merge or manifest validate found a problem; fleet skipped groups"},
      {kExitUsage, "the command line is invalid"},
      {kExitInput,
       "an input cannot be read, or not completely under --strict; the manifest is invalid; the "
       "output cannot be written"},
      {kExitSql, "the SQL cannot be compiled or run, or reached a limit"},
      {kExitInterrupted, "interrupted by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP"},
  };
  return kStatuses;
}

ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage:
      return kExitUsage;
    case ErrorCode::Sql:
    case ErrorCode::TypeChanged:
      return kExitSql;
    case ErrorCode::Cancelled:
      return kExitInterrupted;
    case ErrorCode::NotFound:
    case ErrorCode::BadInput:
    case ErrorCode::BadManifest:
    case ErrorCode::Unsupported:
    case ErrorCode::Io:
    case ErrorCode::Limit:
    case ErrorCode::Timeout:
    case ErrorCode::NoMemory:
      return kExitInput;
    case ErrorCode::Internal:
      return kExitInternal;
  }
  return kExitInput;
}

Error error_of_query(Error error) {
  if (error.code == ErrorCode::Limit || error.code == ErrorCode::Timeout)
    error.code = ErrorCode::Sql;
  return error;
}

std::vector<std::string_view> flag_names(const Option& option) {
  std::vector<std::string_view> names;
  for (std::string_view rest = option.flags; !rest.empty();) {
    const size_t cut = rest.find(',');
    names.push_back(rest.substr(0, cut));
    rest = cut == rest.npos ? std::string_view() : rest.substr(cut + 1);
  }
  return names;
}

}  // namespace tracebraid
