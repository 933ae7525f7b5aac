#include "query/compile/relation.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/words.h"
#include "query/compile/select_text.h"
#include "query/compile/statement.h"

namespace tracebraid {
namespace {

constexpr int kDeepestView = 8;

struct Catalog {
  sqlite3* db;
  const Guard* guard;
  const TableModule* module;
  OperatorTableOf operator_of;

  std::optional<Relation> find(std::string_view name, int depth) const;
  std::optional<Relation> view(const std::string& name, int depth) const;
  const Table* table(const std::string& name) const;
  bool is_hidden(const std::string& name) const;
  std::optional<std::string> text_of(const char* query, const std::string& name) const;
};

// Returns the first value of a query about a name; empty if there is none; nothing if the query
// fails.
std::optional<std::string> Catalog::text_of(const char* query, const std::string& name) const {
  const StatementPtr statement = prepare(db, query);
  sqlite3_stmt* const compiled = statement.get();
  if (compiled == nullptr) return std::nullopt;
  sqlite3_bind_text(compiled, 1, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
  const int rc = sqlite3_step(compiled);
  if (rc == SQLITE_DONE) return std::string();
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(compiled, 0));
  return rc == SQLITE_ROW && text != nullptr ? std::optional<std::string>(text) : std::nullopt;
}

bool Catalog::is_hidden(const std::string& name) const {
  return text_of("SELECT name FROM sqlite_temp_schema WHERE name = ?1 COLLATE NOCASE", name) != "";
}

// Returns the table with the name in lower case; null if there is none.
const Table* Catalog::table(const std::string& name) const {
  auto found = module->connected.find(name);
  if (found == module->connected.end() && module->listed.contains(name)) {
    prepare(db, fmt::format("SELECT 1 FROM main.\"{}\"", name));  // connects it
    found = module->connected.find(name);
  }
  return found == module->connected.end() ? nullptr : found->second;
}

Relation relation_of(const Table& table) {
  Relation relation{&table, true, true, {}};
  for (const ColumnView& column : table.view().columns)
    relation.columns.push_back({std::string(column.name), &column});
  return relation;
}

// Returns the SELECT of CREATE VIEW name AS SELECT ...
std::string_view select_of(std::string_view create) {
  constexpr int kWordsBefore = 4;
  for (int i = 0; i < kWordsBefore; ++i) {
    create = skip_space(create);
    create.remove_prefix(first_token(create).text.size());
  }
  return create;
}

bool is_row_by_row(const SelectText& select) {
  if (select.from.size() != 1 || select.from[0].is_call || !select.group_by.empty() ||
      !select.having.empty())
    return false;
  return std::ranges::all_of(select.items, [](const ResultItem& item) {
    const std::optional<Expression> read = parse_expression(item.expression);
    return read && read->aggregates.empty();
  });
}

std::optional<Relation> Catalog::view(const std::string& name, int depth) const {
  const std::optional<std::string> create =
      text_of("SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND lower(name) = ?1", name);
  if (!create) return std::nullopt;
  const std::optional<SelectText> select = parse_select(select_of(*create));
  if (!select) return std::nullopt;
  std::optional<Relation> base;
  if (is_row_by_row(*select)) base = find(select->from[0].table.text, depth + 1);
  Relation relation;
  if (base) {
    relation.table = base->table;
    relation.has_all_rows = base->has_all_rows && select->where.empty() && !select->has_limit;
    relation.is_in_order = base->is_in_order && select->order_by.empty();
  }
  for (const ResultItem& item : select->items) {
    const std::optional<ColumnName> source = parse_column(item.expression);
    if (item.alias.empty() && !source) return std::nullopt;
    const RelationColumn* shown = base && source ? base->find(source->column) : nullptr;
    relation.columns.push_back({std::string(item.alias.empty() ? source->column : item.alias),
                                shown == nullptr ? nullptr : shown->column});
  }
  return relation;
}

std::optional<Relation> Catalog::find(std::string_view written, int depth) const {
  std::string name(written);
  std::ranges::transform(name, name.begin(), lower_case);
  if (depth > kDeepestView || is_hidden(name)) return std::nullopt;
  if (const Table* const found = table(name)) return relation_of(*found);
  if (const Table* const computed = operator_of ? operator_of(name) : nullptr)
    return relation_of(*computed);
  std::optional<Relation> found = view(name, depth);
  // A view of the user's may read tables that are not ours.
  if (found && found->table == nullptr && !guard->ours.contains(name)) return std::nullopt;
  return found;
}

}  // namespace

const RelationColumn* Relation::find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      columns, [&](const RelationColumn& column) { return same_name(column.name, name); });
  return found == columns.end() ? nullptr : &*found;
}

RelationOf relations_in(sqlite3* db, const Guard& guard, const TableModule& module,
                        OperatorTableOf operator_of) {
  return [catalog = Catalog{db, &guard, &module, std::move(operator_of)}](std::string_view name) {
    return catalog.find(name, 0);
  };
}

}  // namespace tracebraid
