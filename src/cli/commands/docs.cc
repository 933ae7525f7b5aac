// Command docs: pages of the manual that are made from the program itself.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "export/rows/row_writer.h"
#include "format/format.h"
#include "tables/store.h"

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
      "The tables that the program fills; src/tables declares them. The public views\n"
      "over them, such as `slice`, `thread` and `counter`, are in src/query/compile/prelude.sql. "
      "Times and\n"
      "durations are ns. *sorted* means that the values never fall from row to row, so a query\n"
      "that compares or orders by the column need not scan or sort. A hidden column is left out\n"
      "by `SELECT *`.\n";
  for (const TableView& table : empty->views()) text += table_section(table);
  return text;
}

std::string format_section(const Format& format) {
  std::string text =
      fmt::format("\n## {} (`{}`)\n\n{}\n\n", format.title, format.name, format.about);
  text += fmt::format("* **Times**: {}\n", format.times);
  if (!format.anchors.empty()) text += fmt::format("* **Anchors**: {}\n", format.anchors);
  return text + fmt::format("* **Tables**: {}\n", format.tables);
}

std::string formats_page() {
  std::string text =
      "# Formats\n\n"
      "<!-- Made by `tracebraid docs formats`; tests/docs_test.py holds it to that. -->\n\n"
      "What can be read. Content decides the format, never the name. *Times* says which clock the\n"
      "times of a file are in, *anchors* what in the file relates that clock to others, *tables*\n"
      "what the file fills. [format-notes.md](format-notes.md) says in detail what becomes of\n"
      "what, and which archives and compressions are undone.\n";
  std::string refused;
  for (const Format* format : all_formats())
    if (format->tables.empty())
      refused += fmt::format("* {} (`{}`)\n", format->title, format->name);
    else
      text += format_section(*format);
  return text +
         "\n## Recognised, but not read\n\nSuch a file is an error that names its format.\n\n" +
         refused;
}

Result<ExitCode> run_docs(std::span<const std::string> given) {
  const std::string_view page = given.size() == 1 ? std::string_view(given[0]) : "";
  if (page != "tables" && page != "formats")
    return fail(ErrorCode::Usage, "name a page: tables or formats");
  TB_TRY(print(page == "tables" ? tables_page() : formats_page()));
  return kExitFine;
}

}  // namespace

Command docs_command() {
  return {
      .name = "docs",
      .usage = "tables|formats",
      .about = "print a generated page of the manual",
      .details = "Prints Markdown, generated from the declarations of tables and formats.",
      .words = {"tables", "formats"},
      .takes_files = false,
      .examples = {{"tracebraid docs tables > docs/sql-tables.md", "each table and its columns"},
                   {"tracebraid docs formats > docs/formats.md", "each format"}},
      .run = run_docs,
  };
}

}  // namespace tracebraid
