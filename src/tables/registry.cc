#include "tables/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/assert.h"
#include "tables/all_tables.h"
#include "tables/dialect_views.h"
#include "tables/references.h"
#include "tables/sql_modules.h"

namespace tracebraid {
namespace {

constexpr std::string_view kRawPrefix = "__intrinsic_", kReference = "JOINID(";

bool is_time(std::string_view name) {
  return name == "ts" || name == "ts_end" || name == "timestamp" || name.ends_with("_ts");
}

// Returns the type of the dialect. A reference names the raw table.
std::string dialect_type(std::string_view table, const ColumnView& column) {
  if (column.type == CellType::RowNumber) return "ID";
  if (column.sql_type == SqlType::Text) return "STRING";
  if (column.sql_type == SqlType::Real) return "DOUBLE";
  if (column.name.ends_with("arg_set_id")) return "ARGSETID";
  const std::string_view referenced = referenced_table(table, column.name);
  if (!referenced.empty()) return fmt::format("{}{}.id)", kReference, referenced);
  if (is_time(column.name)) return "TIMESTAMP";
  if (column.name == "dur" || column.name == "thread_dur") return "DURATION";
  return "LONG";
}

RelationDeclaration raw_relation(const TableView& view, std::string_view file,
                                 std::string_view subject) {
  RelationDeclaration relation{.kind = RelationKind::Raw,
                               .name = std::string(view.name),
                               .subject = std::string(subject),
                               .about = std::string(view.about),
                               .file = std::string(file),
                               .columns = {}};
  for (const ColumnView& column : view.columns)
    relation.columns.push_back({std::string(column.name), dialect_type(view.name, column),
                                std::string(column.about), std::string(column.name),
                                column.order == Order::Sorted, column.hidden});
  return relation;
}

// The parts of a list between commas, without spaces around them.
std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  for (bool is_last = false; !is_last;) {
    // A comma within parentheses separates nothing.
    const size_t open = list.find('('), close = list.find(')');
    size_t comma = list.find(',');
    if (open < comma && close != list.npos) comma = list.find(',', close);
    is_last = comma == list.npos;
    std::string_view part = list.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    parts.push_back(part.substr(0, part.find_last_not_of(' ') + 1));
    if (!is_last) list.remove_prefix(comma + 1);
  }
  return parts;
}

void add_column(const RelationDeclaration& raw, std::string_view source, std::string_view name,
                RelationDeclaration& relation) {
  const auto found = std::ranges::find(raw.columns, source, &ColumnDeclaration::name);
  TB_ASSERT(found != raw.columns.end());
  relation.columns.push_back(*found);
  relation.columns.back().name = name;
}

RelationDeclaration public_relation(const RelationDeclaration& raw, const PublicTable& table) {
  constexpr std::string_view kExcept = "* EXCEPT (", kAs = " AS ";
  RelationDeclaration relation{.kind = RelationKind::Public,
                               .name = std::string(table.name),
                               .subject = raw.subject,
                               .about = raw.about,
                               .file = raw.file,
                               .columns = {},
                               .raw = raw.name,
                               .is_alias = table.alias == Alias::Yes};
  for (const std::string_view part : split(table.columns)) {
    if (part.starts_with('*')) {
      std::vector<std::string_view> left_out;
      if (part.starts_with(kExcept))
        left_out = split(part.substr(kExcept.size(), part.size() - kExcept.size() - 1));
      for (const ColumnDeclaration& column : raw.columns)
        if (std::ranges::count(left_out, column.name) == 0)
          add_column(raw, column.name, column.name, relation);
      continue;
    }
    const size_t as = part.find(kAs);
    add_column(raw, part.substr(0, as), as == part.npos ? part : part.substr(as + kAs.size()),
               relation);
  }
  return relation;
}

// Makes references to raw tables name the relation that users see, if there is one.
void show_references(std::vector<RelationDeclaration>& relations) {
  const auto is_declared = [&](std::string_view name) {
    return std::ranges::count(relations, name, &RelationDeclaration::name) != 0;
  };
  for (RelationDeclaration& relation : relations)
    for (ColumnDeclaration& column : relation.columns) {
      std::string_view name = column.type;
      if (!name.starts_with(kReference)) continue;
      name.remove_prefix(kReference.size());
      if (!name.starts_with(kRawPrefix)) continue;
      name.remove_prefix(kRawPrefix.size());
      if (is_declared(name.substr(0, name.find('.'))))
        column.type.erase(kReference.size(), kRawPrefix.size());
    }
}

std::vector<RelationDeclaration> declared_relations() {
  const auto store = std::make_unique<Store>();
  std::vector<RelationDeclaration> raw, shown;
  const auto add = [&](std::string_view subject, const auto& table) {
    raw.push_back(raw_relation(table.view(), table.kFile, subject));
    for (const PublicTable& name : table.public_tables())
      shown.push_back(public_relation(raw.back(), name));
  };
  for_each_table_by_subject(*store, add);
  const auto slices = std::ranges::find(raw, SliceTable::kName, &RelationDeclaration::name);
  const std::string subject = slices->subject;
  raw.push_back(raw_relation(store->args.view(), ArgsTable::kFile, subject));
  raw.push_back(raw_relation(store->args.full_view(), ArgsTable::kFile, subject));
  for (const SqlModule& module : sql_modules())
    std::ranges::move(read_views(module), std::back_inserter(shown));
  std::ranges::move(shown, std::back_inserter(raw));
  show_references(raw);
  return raw;
}

}  // namespace

std::span<const RelationDeclaration> all_relations() {
  static const std::vector<RelationDeclaration> kRelations = declared_relations();
  return kRelations;
}

const RelationDeclaration* find_relation(std::string_view name) {
  const auto found = std::ranges::find(all_relations(), name, &RelationDeclaration::name);
  return found == all_relations().end() ? nullptr : &*found;
}

namespace {

std::string column_list(const RelationDeclaration& relation) {
  std::string list;
  for (const ColumnDeclaration& column : relation.columns) {
    if (!list.empty()) list += ", ";
    list += column.source;
    if (column.name != column.source) list += " AS " + column.name;
  }
  return list;
}

}  // namespace

std::string select_of(const RelationDeclaration& relation) {
  if (relation.kind == RelationKind::View) return relation.select;
  return fmt::format("SELECT {} FROM {}", column_list(relation), relation.raw);
}

const std::string& public_schema_sql() {
  static const std::string kSql = [] {
    std::string sql;
    for (const RelationDeclaration& relation : all_relations()) {
      if (relation.kind == RelationKind::Public)
        sql += fmt::format("CREATE VIRTUAL TABLE {} USING __intrinsic_dataframe({}, {});\n",
                           relation.name, relation.raw, column_list(relation));
      else if (relation.kind == RelationKind::View)
        sql += fmt::format("CREATE VIEW {} AS\n{};\n", relation.name, relation.select);
    }
    return sql += dialect_views_sql();
  }();
  return kSql;
}

std::string column_meaning(std::string_view table, const ColumnView& column) {
  std::string_view referenced =
      column.type == CellType::RowNumber ? table : referenced_table(table, column.name);
  if (referenced.starts_with(kRawPrefix)) referenced.remove_prefix(kRawPrefix.size());
  if (!referenced.empty()) return fmt::format("row:{}", referenced);
  const std::string type = dialect_type(table, column);
  if (type == "TIMESTAMP") return "time_ns";
  return type == "DURATION" ? "duration_ns" : "";
}

}  // namespace tracebraid
