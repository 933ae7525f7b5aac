#include "query/operators/span_table.h"

#include <fmt/core.h>

#include <string_view>

#include "query/operators/relation_columns.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> failure(std::string_view message) {
  return fail(ErrorCode::Sql, fmt::format("SPAN_JOIN: {}", message));
}

// Takes the next word off the text; empty at the end. Quoted names may contain blanks.
std::string next_word(std::string_view& text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  std::string word;
  if (text.front() == '"') {
    size_t at = 1;
    for (; at < text.size(); ++at) {
      if (text[at] == '"' && !text.substr(at + 1).starts_with('"')) break;
      at += text[at] == '"' ? 1 : 0;
      word += text[at];
    }
    text.remove_prefix(std::min(at + 1, text.size()));
    return word;
  }
  word = text.substr(0, text.find_first_of(kBlank));
  text.remove_prefix(word.size());
  return word;
}

Result<SpanSide> parse(std::string_view text) {
  SpanSide side{next_word(text), std::nullopt};
  const std::string keyword = next_word(text);
  if (keyword.empty()) return side;
  if (!is_same_name(keyword, "PARTITIONED")) return failure("Invalid token");
  side.partition = next_word(text);
  if (side.partition->empty()) return failure("Missing partitioning column");
  return side;
}

Result<> find_columns(sqlite3* db, SpanSide& side) {
  if (side.partition &&
      (is_same_name(*side.partition, "ts") || is_same_name(*side.partition, "dur")))
    return failure(
        fmt::format("partition column cannot be any of {{ts, dur}} for table {}", side.table));
  TB_TRY_ASSIGN(std::vector<RelationColumnType> columns, columns_of_relation(db, side.table));
  bool has_ts = false, has_partition = false;
  for (RelationColumnType& column : columns) {
    for (const char c : {',', ':'})
      if (column.name.find(c) != std::string::npos)
        return failure(fmt::format("column '{}' cannot contain any '{}'", column.name, c));
    if (is_same_name(column.name, "ts"))
      has_ts = true;
    else if (is_same_name(column.name, "dur"))
      side.has_dur = true;
    else if (side.partition && is_same_name(column.name, *side.partition))
      has_partition = true;
    else
      side.others.push_back({std::move(column.name), std::move(column.type)});
  }
  if (!has_ts) return failure(fmt::format("Missing ts column in table {}", side.table));
  if (side.partition && !has_partition)
    return failure(
        fmt::format("Missing partition column '{}' in table '{}'", *side.partition, side.table));
  return {};
}

Result<> check_names(const SpanTable& table) {
  const auto check = [&](std::string_view name) -> Result<> {
    for (const SpanSide::Column& right : table.right.others)
      if (is_same_name(right.name, name))
        return failure(fmt::format("column {} present in both tables {} and {}", name,
                                   table.left.table, table.right.table));
    return {};
  };
  for (const SpanSide::Column& left : table.left.others) TB_TRY(check(left.name));
  // The partition column of one input is a name of the result, too.
  const auto& partition = table.left.partition ? table.left.partition : table.right.partition;
  if (!partition) return {};
  const SpanSide& other = table.left.partition ? table.right : table.left;
  for (const SpanSide::Column& column : other.others)
    if (is_same_name(column.name, *partition))
      return failure(fmt::format("column {} present in both tables {} and {}", column.name,
                                 table.left.table, table.right.table));
  return {};
}

}  // namespace

std::string SpanTable::declaration() const {
  std::string sql = "CREATE TABLE x(ts BIGINT, dur BIGINT";
  std::string key = "ts";
  if (is_partitioned()) {
    const std::string partition = quoted(left.partition ? *left.partition : *right.partition);
    sql += fmt::format(", {} BIGINT", partition);
    key += ", " + partition;
  }
  for (const SpanSide* side : {&left, &right})
    for (const SpanSide::Column& column : side->others)
      sql += fmt::format(", {} {}", quoted(column.name), column.type);
  return sql + fmt::format(", PRIMARY KEY({}))", key);
}

Result<SpanTable> span_table(sqlite3* db, SpanJoin join, std::span<const char* const> arguments) {
  if (arguments.size() != 2) return failure("expected exactly two arguments");
  SpanTable table{join, {}, {}, {}};
  TB_TRY_ASSIGN(table.left, parse(arguments[0]));
  TB_TRY_ASSIGN(table.right, parse(arguments[1]));
  if (table.left.partition && table.right.partition &&
      !is_same_name(*table.left.partition, *table.right.partition))
    return failure(fmt::format(
        "mismatching partitions between the two tables; (partition {} in table {}, "
        "partition {} in table {})",
        *table.left.partition, table.left.table, *table.right.partition, table.right.table));
  TB_TRY(find_columns(db, table.left));
  TB_TRY(find_columns(db, table.right));
  if (!table.left.has_dur && !table.right.has_dur)
    return failure(fmt::format("column dur must be present in at least one of tables {} and {}",
                               table.left.table, table.right.table));
  TB_TRY(check_names(table));
  table.names = {"ts", "dur"};
  if (table.is_partitioned())
    table.names.push_back(table.left.partition ? *table.left.partition : *table.right.partition);
  for (const SpanSide* side : {&table.left, &table.right})
    for (const SpanSide::Column& column : side->others) table.names.push_back(column.name);
  return table;
}

}  // namespace tracebraid
