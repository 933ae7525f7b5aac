// Command docs: pages of the manual that are made from the program itself.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "export/rows/row_writer.h"
#include "store/store.h"

namespace tracebraid {
namespace {

// Text as a cell of a Markdown table.
std::string cell_text(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string column_row(const ColumnView& column) {
  return fmt::format("| `{}`{} | {} | {} | {} |\n", column.name, column.hidden ? " (hidden)" : "",
                     name_of(column.sql_type), column.order == Order::Sorted ? "sorted" : "",
                     cell_text(column.about));
}

std::string table_section(const TableView& table) {
  std::string text = fmt::format("\n## {}\n\n{}\n\n", table.name, table.about);
  text += "| Column | Type | Order | |\n|---|---|---|---|\n";
  for (const ColumnView& column : table.columns) text += column_row(column);
  return text;
}

std::string tables_page() {
  const auto empty = std::make_unique<Store>();
  std::string text =
      "# SQL tables\n\n"
      "<!-- Made by `tracebraid docs tables`; tests/docs_test.py holds it to that. -->\n\n"
      "The tables that the program fills; src/store/tables.h declares them. The public views\n"
      "over them, such as `slice`, `thread` and `counter`, are in src/sql/prelude.sql. Times and\n"
      "durations are ns. *sorted* means that the values never fall from row to row, so a query\n"
      "that compares or orders by the column need not scan or sort. A hidden column is left out\n"
      "by `SELECT *`.\n";
  for (const TableView& table : empty->views()) text += table_section(table);
  return text;
}

Result<ExitCode> run_docs(std::span<const std::string> given) {
  if (given.size() != 1 || given[0] != "tables")
    return fail(ErrorCode::Usage, "name the page: tables");
  TB_TRY(print(tables_page()));
  return kExitFine;
}

}  // namespace

Command docs_command() {
  return {
      .name = "docs",
      .usage = "tables",
      .about = "print the page of the manual about SQL tables",
      .details = "Markdown, made from what the program knows of its tables and columns.",
      .words = {"tables"},
      .takes_files = false,
      .examples = {{"tracebraid docs tables > docs/sql-tables.md", "each table and its columns"}},
      .run = run_docs,
  };
}

}  // namespace tracebraid
