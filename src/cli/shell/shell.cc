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
#include "cli/message.h"
#include "cli/shell/examples.h"
#include "cli/shell/line_editor.h"
#include "cli/shell/pager.h"
#include "cli/shell/statement.h"
#include "cli/shell/vocabulary.h"
#include "cli/shell/words.h"
#include "cli/show_rows.h"
#include "engine/options.h"
#include "engine/rows.h"
#include "engine/sql_error.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

struct Shell {
  TraceConnection& connection;
  std::vector<RelationInfo> relations;
  RowDisplay display = {.all_rows_advice = ".rows 0 prints all, .pager on shows all in a pager",
                        .all_columns_advice = ".wide on prints all"};
  std::string pager;      // the command; empty: none
  bool is_typed = false;  // statements come from a terminal
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

// Runs the statements, with output to the pager if there is one.
RowsShown run_shown(Shell& shell, std::string_view sql) {
  if (shell.pager.empty() || isatty(STDOUT_FILENO) != 1)
    return show_rows(shell.connection, sql, shell.display, shell.out, STDOUT_FILENO);
  Pager pager(shell.pager);
  RowsShown shown;
  {
    Output to_pager(pager.fd(), "the pager");
    RowDisplay display = shell.display;
    display.shows_progress = false;  // the screen is the pager's
    shown = show_rows(shell.connection, sql, display, to_pager, pager.fd());
  }
  if (Result<> ended = pager.wait(); !ended && shown.ran) shown.ran = ended;
  return shown;
}

// `is_typed`: the user entered the SQL here, and not in a file.
void run_sql(Shell& shell, std::string_view sql, bool is_typed) {
  const auto start = std::chrono::steady_clock::now();
  const RowsShown shown = run_shown(shell, sql);
  const auto took = std::chrono::steady_clock::now() - start;
  if (shell.timer)
    shell.out.buffer() +=
        fmt::format("({}, {})\n", counted(static_cast<int64_t>(shown.rows), "row"),
                    span_text(std::chrono::nanoseconds(took).count()));
  shell.out.flush();
  if (!shown.ran) {
    const Error& error = shown.ran.error();
    fail_with(shell, is_typed ? plain_sql_error(error.message) : error.message);
    if (!error.hint.empty()) print_note(error.hint);
  }
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
      shell.out.buffer() += fmt::format(
          "{} {:<6} {}\n", &format == shell.display.format ? '*' : ' ', format.name, format.about);
  } else if (const RowFormat* format = find_row_format(name)) {
    shell.display.format = format;
  } else {
    fail_with(shell, fmt::format("there is no mode {}; use one of {}", name,
                                 fmt::join(row_format_names(), ", ")));
  }
}

// Sets a switch to on or off; changes it without a value.
void set_switch(Shell& shell, std::string_view command, const std::string& value, bool& is_on) {
  if (value != "on" && value != "off" && !value.empty())
    return fail_with(shell, fmt::format("use {0} on or {0} off", command));
  is_on = value.empty() ? !is_on : value == "on";
}

void set_timer(Shell& shell, const std::string& value) {
  set_switch(shell, ".timer", value, shell.timer);
}

void set_wide(Shell& shell, const std::string& value) {
  set_switch(shell, ".wide", value, shell.display.is_wide);
}

void set_pager(Shell& shell, const std::string& value) {
  const bool is_switch = value.empty() || value == "on" || value == "off";
  bool is_on = !shell.pager.empty();
  if (is_switch) set_switch(shell, ".pager", value, is_on);
  shell.pager = !is_switch ? value : is_on ? default_pager() : "";
}

void set_rows(Shell& shell, const std::string& value) {
  const Result<uint64_t> rows = parse_quantity(value);
  if (value.empty() || !rows) return fail_with(shell, "use .rows N; 0 prints all rows");
  shell.display.most_rows = *rows;
}

void show_examples(Shell& shell, const std::string& number) {
  const std::span<const SqlExample> examples = sql_examples();
  for (size_t i = 0; i < examples.size(); ++i) {
    if (!number.empty() && number != std::to_string(i + 1)) continue;
    shell.out.buffer() +=
        fmt::format("-- {}. {}\n{}\n\n", i + 1, examples[i].about, examples[i].sql);
    if (number.empty()) continue;
    shell.out.flush();
    return run_sql(shell, examples[i].sql, true);
  }
  if (!number.empty())
    fail_with(shell, fmt::format("there is no example {}; use .examples 1 to {}", number,
                                 examples.size()));
}

void read_script(Shell& shell, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream sql;
  if (file) sql << file.rdbuf();
  if (!file)
    return fail_with(shell, path.empty() ? "use .read FILE" : fmt::format("cannot read {}", path));
  run_sql(shell, sql.view(), false);
}

void show_help(Shell& shell, const std::string&) {
  shell.out.buffer() +=
      "SQL ends with ';' and may take several lines. Ctrl-C stops a query or discards\n"
      "a line. The tab key completes keywords, tables, columns and functions.\n" +
      shell_commands_help();
}

void quit(Shell& shell, const std::string&) { shell.quit = true; }

struct DotCommand {
  std::string_view name, argument, about;
  void (*run)(Shell& shell, const std::string& argument);
};
constexpr DotCommand kDotCommands[] = {
    {".examples", "[N]", "List useful statements, or run the Nth", show_examples},
    {".help", "", "List these commands", show_help},
    {".mode", "[FORMAT]", "List the formats of rows, or choose one", set_mode},
    {".pager", "[on|off|COMMAND]", "Show rows in $PAGER, or less, or this command", set_pager},
    {".quit", "", "Leave the shell, as does Ctrl-D", quit},
    {".read", "FILE", "Run the SQL in a file", read_script},
    {".rows", "N", "Print at most N rows of a table; 0 prints all", set_rows},
    {".schema", "[TABLE]", "Print the definitions of tables and views", show_schema},
    {".tables", "[PATTERN]", "List tables and views; PATTERN may contain * and ?", list_tables},
    {".timer", "[on|off]", "Print how long statements take", set_timer},
    {".wide", "[on|off]", "Print tables wider than the terminal", set_wide},
};

std::vector<std::string_view> dot_command_names() {
  std::vector<std::string_view> names;
  for (const DotCommand& command : kDotCommands) names.push_back(command.name);
  return names;
}

std::vector<DotWords> dot_words(const Shell& shell, std::string_view line) {
  std::vector<DotWords> words;
  for (const std::string_view command : dot_command_names())
    words.push_back({command, values_of(command, word_at_end(line), shell.relations)});
  return words;
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
  if (!is_blank(pending)) run_sql(shell, pending, shell.is_typed);
  pending.clear();
}

void run_terminal(Shell& shell) {
  std::setlocale(LC_CTYPE, "");  // the editor needs the encoding of letters
  std::signal(SIGINT, SIG_IGN);  // a Ctrl-C too late for a query must not end the shell
  std::string pending;
  const std::vector<std::string> functions = sql_functions(shell.connection);
  LineEditor editor(history_path(), [&](std::string_view before, std::string_view after) {
    const bool is_command = is_blank(pending) && before.starts_with('.');
    const std::string text = is_command ? std::string(before) : pending + std::string(before);
    return completions(
        text, after,
        {shell.relations, functions, dot_words(shell, before), shell.connection.module_keys()});
  });
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
  if (!is_blank(pending) && !shell.quit) run_sql(shell, pending, shell.is_typed);
}

}  // namespace

std::string shell_commands_help() {
  std::string text;
  for (const DotCommand& command : kDotCommands)
    text += fmt::format("  {:<26}{}\n", fmt::format("{} {}", command.name, command.argument),
                        command.about);
  return text;
}

ExitCode run_shell(TraceConnection& connection) {
  Shell shell{.connection = connection};
  list_relations(shell);
  const bool person = isatty(STDIN_FILENO) == 1;
  shell.is_typed = person;
  if (person)
    run_terminal(shell);
  else
    run_pipe(shell);
  return shell.failed && !person ? kExitSql : kExitFine;
}

}  // namespace tracebraid
