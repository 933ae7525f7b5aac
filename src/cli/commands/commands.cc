#include "cli/commands/commands.h"

namespace tracebraid {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> kCommands = [] {
    std::vector<Command> commands;
    commands.push_back(info_command());
    commands.push_back(check_command());
    commands.push_back(query_command());
    commands.push_back(fleet_command());
    commands.push_back(shell_command());
    commands.push_back(serve_command());
    commands.push_back(open_command());
    commands.push_back(merge_command());
    commands.push_back(export_command());
    commands.push_back(manifest_command());
    commands.push_back(manifest_validate_command());
    commands.push_back(formats_command());
    commands.push_back(docs_command());
    commands.push_back(completions_command());
    commands.push_back(man_command());
    return commands;
  }();
  return kCommands;
}

}  // namespace tracebraid
