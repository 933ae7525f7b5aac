#include "engine/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "engine/functions/sql_functions.h"
#include "engine/functions/table_functions.h"
#include "format/format.h"
#include "format/proto/packet_docs.h"
#include "merge/stat_kinds.h"
#include "query/functions/function.h"
#include "query/library/documentation.h"
#include "query/statements/statement_functions.h"
#include "tables/registry.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

// Returns text as a cell of a Markdown table.
std::string cell_text(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string column_row(const ColumnDeclaration& column) {
  return fmt::format("| `{}`{} | {} | {} | {} |\n", column.name,
                     column.is_hidden ? " (hidden)" : "", column.type,
                     column.is_sorted ? "sorted" : "", cell_text(column.about));
}

constexpr std::string_view kDocumentedHead = "| Column | Type | |\n|---|---|---|\n";
constexpr std::string_view kColumnsHead = "| Column | Type | Order | |\n|---|---|---|---|\n";

// Says where a relation comes from.
std::string origin(const RelationDeclaration& relation) {
  switch (relation.kind) {
    case RelationKind::Public:
      return fmt::format("Shows `{}`; declared in {}.", relation.raw, relation.file);
    case RelationKind::View:
      return fmt::format("A view, declared in {}.", relation.file);
    case RelationKind::Raw:
      break;
  }
  return fmt::format("Declared in {}.", relation.file);
}

std::string relation_section(const RelationDeclaration& relation) {
  std::string text = fmt::format("\n### {}\n\n{}", relation.name, relation.about);
  if (relation.is_alias) text += " A second name.";
  text += fmt::format(" {}\n\n{}", origin(relation), kColumnsHead);
  for (const ColumnDeclaration& column : relation.columns) text += column_row(column);
  return text;
}

// Returns the public names of each subject, in the order in which subjects first occur.
std::string public_sections() {
  std::vector<std::string_view> subjects;
  for (const RelationDeclaration& relation : all_relations())
    if (std::ranges::count(subjects, relation.subject) == 0) subjects.push_back(relation.subject);
  std::string text;
  for (const std::string_view subject : subjects) {
    std::string sections;
    for (const RelationDeclaration& relation : all_relations())
      if (relation.subject == subject && relation.kind != RelationKind::Raw)
        sections += relation_section(relation);
    if (!sections.empty()) text += fmt::format("\n## {}\n{}", subject, sections);
  }
  return text;
}

std::string table_function_section(const TableFunction& function) {
  std::string parameters, rows;
  for (const TableFunction::Parameter& parameter : function.parameters) {
    parameters +=
        fmt::format("{}{} {}", parameters.empty() ? "" : ", ", parameter.name, parameter.type);
    rows += fmt::format("* `{}`: {}\n", parameter.name, parameter.about);
  }
  std::string text =
      fmt::format("\n### {}({})\n\n{} Declared in {}.\n\n{}\n| Column | Type | |\n|---|---|---|\n",
                  function.name, parameters, function.about, function.file, rows);
  for (const TableFunction::Column& column : function.columns)
    text += fmt::format("| `{}` | {} | {} |\n", column.name, name_of(column.type),
                        cell_text(column.about));
  return text;
}

std::string function_sections(const Store& store) {
  std::string text =
      "\n## Table functions\n\nUse them as tables: `SELECT * FROM f(x)`, also joined: "
      "`FROM slice JOIN ancestor_slice(slice.id)`.\n";
  for (const TableFunction& function : table_functions(store))
    text += table_function_section(function);
  text +=
      "\n## Functions\n\nIn addition to those of SQLite. Most have a second name that begins with "
      "`__intrinsic_`.\n\n| Function | Result | Declared in | |\n|---|---|---|---|\n";
  const auto add = [&](const FunctionSignature& signature, std::string_view about) {
    const std::string_view call = signature.text.substr(0, signature.text.rfind(')') + 1);
    text += fmt::format("| `{}` | {} | {} | {} |\n", call, signature.result, signature.file,
                        cell_text(about));
  };
  const StopCheck stop;
  std::vector<SqlFunction> functions = builtin_functions(stop);
  std::ranges::move(session_functions(store, stop), std::back_inserter(functions));
  std::ranges::move(statement_functions(nullptr), std::back_inserter(functions));
  std::ranges::stable_sort(functions, {},
                           [](const SqlFunction& function) { return function.signature.name; });
  for (const SqlFunction& function : functions)
    if (!function.signature.name.starts_with("__intrinsic_"))
      add(function.signature, function.about);
  text +=
      "\n## Aggregate functions\n\nIn addition to those of SQLite.\n\n"
      "| Function | Result | Declared in | |\n|---|---|---|---|\n";
  for (const AggregateFunction& function : aggregate_functions())
    add(function.signature, function.about);
  return text;
}

std::string arguments_text(const DocumentedObject& object) {
  std::string list, rows;
  for (const DocumentedName& argument : object.arguments) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", argument.name, argument.type);
    rows += fmt::format("* `{}`: {}\n", argument.name, argument.about);
  }
  return fmt::format("({})\n\n{}\n\n{}", list, object.about, rows);
}

std::string object_section(const DocumentedObject& object) {
  std::string text =
      fmt::format("\n### {}{}", object.name, object.kind == ObjectKind::Macro ? "!" : "");
  const bool has_arguments = object.kind != ObjectKind::Table && object.kind != ObjectKind::View;
  text += has_arguments ? arguments_text(object) : fmt::format("\n\n{}\n", object.about);
  if (!object.return_type.empty())
    text += fmt::format("* Result, {}: {}\n", object.return_type, object.return_about);
  if (object.columns.empty()) return text;
  text += fmt::format("{}{}", text.ends_with("\n\n") ? "" : "\n", kDocumentedHead);
  for (const DocumentedName& column : object.columns)
    text += fmt::format("| `{}` | {} | {} |\n", column.name, column.type, cell_text(column.about));
  return text;
}

std::string module_section(const DocumentedModule& module) {
  std::string text = fmt::format("\n## {}\n\n{}\n", module.key, module.about);
  if (!module.includes.empty())
    text += fmt::format("\nIncludes {}.\n", fmt::join(module.includes, ", "));
  std::string internal;
  for (const DocumentedObject& object : module.objects)
    if (object.is_internal())
      internal += fmt::format("{}`{}{}`", internal.empty() ? "" : ", ", object.name,
                              object.kind == ObjectKind::Macro ? "!" : "");
    else
      text += object_section(object);
  if (!internal.empty()) text += fmt::format("\nInternal: {}\n", internal);
  return text;
}

std::string format_section(const Format& format) {
  std::string text =
      fmt::format("\n## {} (`{}`)\n\n{}\n\n", format.title, format.name, format.about);
  text += fmt::format("* **Times**: {}\n", format.times);
  if (!format.anchors.empty()) text += fmt::format("* **Anchors**: {}\n", format.anchors);
  text += fmt::format("* **Tables**: {}\n", format.tables);
  return format.name == "proto" ? text + '\n' + proto::packets_page() : text;
}

}  // namespace

std::span<const FormatInfo> format_infos() {
  static const std::vector<FormatInfo> kInfos = [] {
    std::vector<FormatInfo> infos;
    for (const Format* format : all_formats())
      infos.push_back({format->name, format->title, format->about, format->times, format->anchors,
                       format->tables});
    return infos;
  }();
  return kInfos;
}

std::string tables_page() {
  const auto empty = std::make_unique<Store>();
  std::string text =
      "# SQL tables\n\n"
      "<!-- Generated by `tracebraid docs tables`; checked by tests/docs_test.py. -->\n\n"
      "Public tables and views by subject, then functions, then the raw tables behind the public\n"
      "names. Times and durations are ns. An ID is the number of a row, a JOINID(x.id) the ID\n"
      "of a row of x, a LONG an integer. Values of a *sorted* column never decrease from row to\n"
      "row, so a query that compares or orders by it need not scan or sort. `SELECT *` omits\n"
      "hidden columns. (ours) marks additions to Perfetto's tables.\n";
  text += public_sections();
  text += function_sections(*empty);
  text += "\n## Raw tables\n";
  for (const RelationDeclaration& relation : all_relations())
    if (relation.kind == RelationKind::Raw) text += relation_section(relation);
  return text;
}

std::string modules_page() {
  std::string text =
      "# SQL modules\n\n"
      "<!-- Generated by `tracebraid docs modules`; checked by tests/docs_test.py. -->\n\n"
      "The standard library: tables, views, functions and macros that a module creates when you\n"
      "include it, such as `INCLUDE PERFETTO MODULE slices.with_context;`. Times and durations "
      "are\n"
      "ns. The table `__intrinsic_stdlib_objects` has the same content. Names that begin with `_`\n"
      "are internal and may change.\n";
  for (const DocumentedModule& module : library_documentation()) text += module_section(module);
  return text;
}

std::string stats_page() {
  struct Section {
    StatLevel level;
    std::string_view title, about;
  };
  constexpr Section kSections[] = {
      {StatLevel::LostEvents, "Lost events",
       "Each count is one event that was in the file and is on no row. The column LOST of\n"
       "`tracebraid check` has these events and the unpaired ones. `--strict` fails."},
      {StatLevel::Unpaired, "Unpaired events",
       "Each count is one event whose other half is not in the file: a flow without its start or\n"
       "its end, an async end without its begin. No row shows the event, although the file may be\n"
       "correct: a recording that starts or stops in the middle has such events, and Kineto "
       "writes\n"
       "flows to events that it does not record. Every command warns of them, and the column LOST\n"
       "of `tracebraid check` has them. `--strict` passes, `--strict=all` fails.\n\n"
       "An end event of a JSON thread (E) without a begin is lost instead, because slices of a\n"
       "thread nest: if the event was meant for a slice that stays open, the slices around it are\n"
       "wrong, too."},
      {StatLevel::LostData, "Other losses",
       "Data is missing that is no event of the file: arguments, names, bytes, or events that the\n"
       "recorder lost before it wrote the file. `--strict` fails."},
      {StatLevel::Repaired, "Repaired or assumed",
       "The file contradicts its format or leaves something open. The event is on a row, but\n"
       "changed, or something about it is assumed. `--strict=all` fails."},
      {StatLevel::Noted, "Noted", "Nothing is missing. Never fails."},
      {StatLevel::Figure, "Figures", "Quantities that the recorder reports. Never fails."},
  };
  std::string text =
      "# Stats\n\n"
      "<!-- Generated by `tracebraid docs stats`; checked by tests/docs_test.py. -->\n\n"
      "What tracebraid counts while it reads, places and builds, by level. The table `stats` has "
      "a\n"
      "row for each stat, file and machine, also at zero; `level` is lost, unpaired, repaired or "
      "noted.\n"
      "`tracebraid check` shows those above zero, with the first occurrence.\n"
      "`_trace_import_logs` has single occurrences. (ours) marks additions to Perfetto's stats.\n";
  for (const Section& section : kSections) {
    text += fmt::format(
        "\n## {}\n\n{}\n\n| Stat | What happened, what it means, what to do |\n"
        "|---|---|\n",
        section.title, section.about);
    std::vector<const StatKind*> kinds;
    for (const StatKind& kind : stat_kinds())
      if (kind.level == section.level) kinds.push_back(&kind);
    std::ranges::sort(kinds, {}, &StatKind::name);
    for (const StatKind* kind : kinds)
      text += fmt::format("| `{}`{} | {} |\n", kind->name,
                          kind->key < kFirstOwnStat ? "" : " (ours)", cell_text(kind->description));
  }
  return text;
}

std::string formats_page() {
  std::string text =
      "# Formats\n\n"
      "<!-- Generated by `tracebraid docs formats`; checked by tests/docs_test.py. -->\n\n"
      "The formats that tracebraid reads. Content decides the format, never the name. *Times* is\n"
      "the clock of the times of a file, *anchors* what relates that clock to others, *tables* "
      "the\n"
      "tables that the format fills. [format-notes.md](format-notes.md) describes what events\n"
      "become, and which archives and compressions are read.\n";
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

}  // namespace tracebraid
