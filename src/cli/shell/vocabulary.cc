#include "cli/shell/vocabulary.h"

#include <filesystem>
#include <system_error>

#include "engine/rows.h"

namespace tracebraid {
namespace {

std::vector<std::string> files_of(std::string_view beginning) {
  const std::filesystem::path path = beginning.substr(0, beginning.rfind('/') + 1);
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(path.empty() ? "." : path, failed))
    files.push_back((path / entry.path().filename()).string() +
                    (entry.is_directory(failed) ? "/" : ""));
  return files;
}

}  // namespace

std::vector<std::string> sql_functions(TraceConnection& connection) {
  struct Names : RowSink {
    std::vector<std::string> names;
    void columns(std::span<const std::string>) override {}
    bool row(std::span<const Cell> cells) override {
      names.emplace_back(cells[0].text);
      return true;
    }
  } sink;
  sink.names = connection.function_names();
  // Without them completion knows fewer words.
  (void)connection.run(
      "SELECT DISTINCT name FROM pragma_function_list WHERE name GLOB '[a-z]*' AND name NOT GLOB "
      "'sqlite_*' AND name != 'load_extension'",
      sink);
  return sink.names;
}

std::vector<std::string> values_of(std::string_view command, std::string_view word,
                                   std::span<const RelationInfo> relations) {
  std::vector<std::string> values;
  if (command == ".mode")
    for (const std::string_view name : row_format_names()) values.emplace_back(name);
  if (command == ".schema" || command == ".tables")
    for (const RelationInfo& relation : relations) values.push_back(relation.name);
  if (command == ".timer" || command == ".wide" || command == ".pager") values = {"off", "on"};
  if (command == ".read") values = files_of(word);
  return values;
}

}  // namespace tracebraid
