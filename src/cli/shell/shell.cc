#include "cli/shell/shell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <csignal>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "base/nearest.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/shell/line_editor.h"
#include "cli/shell/statement.h"
#include "cli/shell/words.h"
#include "engine/rows.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

struct Shell {
  TraceConnection& connection;
  std::vector<RelationInfo> relations;
  const RowFormat* format = find_row_format("table");
  Output out{STDOUT_FILENO, "standard output"};
  bool timer = false;
  bool failed = false;
  bool quit = false;
};

void fail_with(Shell& shell, std::string_view message) {
  shell.failed = true;
  print_error(message);
}

void list_relations(Shell& shell) {
  Result<std::vector<RelationInfo>> relations = shell.connection.relations();
  if (relations)
    shell.relations = *std::move(relations);
  else
    fail_with(shell, relations.error().message);
}

// Passes batches on and counts their rows.
class CountedRows final : public BatchSink {
 public:
  explicit CountedRows(BatchSink& to) : to_(to) {}
  void begin(const Schema& schema) override { to_.begin(schema); }
  bool add(const RecordBatch& batch) override {
    rows_ += static_cast<int64_t>(batch.rows);
    return to_.add(batch);
  }
  void end() override { to_.end(); }
  int64_t rows() const { return rows_; }

 private:
  BatchSink& to_;
  int64_t rows_ = 0;
};

void run_sql(Shell& shell, std::string_view sql) {
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<BatchSink> writer = shell.format->make(shell.out);
  CountedRows rows(*writer);
  const Result<> ran = [&] {
    const OnInterrupt stop(shell.connection);
    return shell.connection.run(sql, rows, text_query_options());
  }();
  writer->end();
  const auto took = std::chrono::steady_clock::now() - start;
  if (shell.timer)
    shell.out.buffer() += fmt::format("({} rows, {})\n", count_text(rows.rows()),
                                      span_text(std::chrono::nanoseconds(took).count()));
  shell.out.flush();
  if (!ran) fail_with(shell, ran.error().message);
  list_relations(shell);  // the statement may have made a view
}

void list_tables(Shell& shell, const std::string& pattern) {
  std::vector<std::string> names;
  for (const RelationInfo& relation : shell.relations)
    if (pattern.empty() || fnmatch(pattern.c_str(), relation.name.c_str(), FNM_CASEFOLD) == 0)
      names.push_back(relation.name);
  std::ranges::sort(names);
  size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size() + 2);
  const size_t per_line = std::max<size_t>(1, 80 / std::max<size_t>(1, width));
  for (size_t i = 0; i < names.size(); ++i) {
    const bool last = i % per_line == per_line - 1 || i + 1 == names.size();
    shell.out.buffer() += last ? names[i] + "\n" : fmt::format("{:<{}}", names[i], width);
  }
}

void show_schema(Shell& shell, const std::string& name) {
  bool found = false;
  for (const RelationInfo& relation : shell.relations) {
    if (!name.empty() && relation.name != name) continue;
    found = true;
    shell.out.buffer() += relation.sql.empty() ? fmt::format("{}({});\n", relation.name,
                                                             fmt::join(relation.columns, ", "))
                                               : relation.sql + ";\n";
  }
  if (found) return;
  std::vector<std::string_view> names;
  for (const RelationInfo& relation : shell.relations) names.push_back(relation.name);
  const auto near = nearest(name, names);
  fail_with(shell, fmt::format("there is no table {}{}", name,
                               near ? fmt::format("; did you mean {}?", *near) : ""));
}

void set_mode(Shell& shell, const std::string& name) {
  if (name.empty()) {
    for (const RowFormat& format : row_formats())
      shell.out.buffer() += fmt::format("{} {:<6} {}\n", &format == shell.format ? '*' : ' ',
                                        format.name, format.about);
  } else if (const RowFormat* format = find_row_format(name)) {
    shell.format = format;
  } else {
    fail_with(shell, fmt::format("there is no mode {}; use one of {}", name,
                                 fmt::join(row_format_names(), ", ")));
  }
}

void set_timer(Shell& shell, const std::string& value) {
  if (value != "on" && value != "off" && !value.empty())
    return fail_with(shell, "use .timer on or .timer off");
  shell.timer = value.empty() ? !shell.timer : value == "on";
}

void read_script(Shell& shell, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream sql;
  if (file) sql << file.rdbuf();
  if (!file)
    return fail_with(shell, path.empty() ? "use .read FILE" : fmt::format("cannot read {}", path));
  run_sql(shell, sql.view());
}

void show_help(Shell& shell, const std::string&) {
  shell.out.buffer() +=
      "SQL ends with ';' and may take several lines. Ctrl-C stops a query or discards a line.\n" +
      shell_commands_help();
}

void quit(Shell& shell, const std::string&) { shell.quit = true; }

struct DotCommand {
  std::string_view name, argument, about;
  void (*run)(Shell& shell, const std::string& argument);
};
constexpr DotCommand kDotCommands[] = {
    {".help", "", "List these commands", show_help},
    {".mode", "[FORMAT]", "Choose how rows are printed; without FORMAT list the formats", set_mode},
    {".quit", "", "Leave the shell, as does Ctrl-D", quit},
    {".read", "FILE", "Run the SQL in a file", read_script},
    {".schema", "[TABLE]", "Print the definitions of tables and views", show_schema},
    {".tables", "[PATTERN]", "List tables and views; PATTERN may contain * and ?", list_tables},
    {".timer", "[on|off]", "Print how long statements take", set_timer},
};

std::vector<std::string_view> dot_command_names() {
  std::vector<std::string_view> names;
  for (const DotCommand& command : kDotCommands) names.push_back(command.name);
  return names;
}

void run_dot_command(Shell& shell, std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.remove_suffix(1);
  const std::string_view name = line.substr(0, line.find(' '));
  const size_t argument = line.find_first_not_of(' ', name.size());
  for (const DotCommand& command : kDotCommands) {
    if (command.name != name) continue;
    command.run(shell, argument == line.npos ? "" : std::string(line.substr(argument)));
    shell.out.flush();
    return;
  }
  const auto near = nearest(name, dot_command_names());
  fail_with(shell, fmt::format("there is no command {}; {}", name,
                               near ? fmt::format("did you mean {}?", *near) : "see .help"));
}

// Handles a line; `pending` is the SQL that has no ';' yet.
void take_line(Shell& shell, std::string& pending, const std::string& line) {
  if (is_blank(pending) && line.starts_with('.')) {
    pending.clear();
    run_dot_command(shell, line);
    return;
  }
  pending += line + "\n";
  if (!is_complete(pending)) return;
  if (!is_blank(pending)) run_sql(shell, pending);
  pending.clear();
}

void run_terminal(Shell& shell) {
  std::setlocale(LC_CTYPE, "");  // the editor needs the encoding of letters
  std::signal(SIGINT, SIG_IGN);  // a Ctrl-C too late for a query must not end the shell
  LineEditor editor(history_path(), [&shell](std::string_view line) {
    std::vector<RelationInfo> names = shell.relations;
    for (const std::string& function : shell.connection.function_names())
      names.push_back({function, {}, {}});
    return completions(line, names, dot_command_names(), shell.connection.module_keys());
  });
  std::string pending;
  while (!shell.quit) {
    const TypedLine line = editor.read(pending.empty() ? "tracebraid> " : "       ...> ");
    if (line.kind == TypedLine::Kind::End) {
      std::fputs("\n", stdout);
      return;
    }
    if (line.kind == TypedLine::Kind::Interrupted)
      pending.clear();
    else
      take_line(shell, pending, line.text);
  }
}

void run_pipe(Shell& shell) {
  std::string pending;
  for (std::string line; !shell.quit && shell.out.ok() && std::getline(std::cin, line);)
    take_line(shell, pending, line);
  if (!is_blank(pending) && !shell.quit) run_sql(shell, pending);
}

}  // namespace

std::string shell_commands_help() {
  std::string text;
  for (const DotCommand& command : kDotCommands)
    text += fmt::format("  {:<20}{}\n", fmt::format("{} {}", command.name, command.argument),
                        command.about);
  return text;
}

ExitCode run_shell(TraceConnection& connection) {
  Shell shell{.connection = connection};
  list_relations(shell);
  const bool person = isatty(STDIN_FILENO) == 1;
  if (person)
    run_terminal(shell);
  else
    run_pipe(shell);
  return shell.failed && !person ? kExitSql : kExitFine;
}

}  // namespace tracebraid
