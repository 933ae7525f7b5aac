#include "server/api/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/words.h"
#include "server/api/json_body.h"

namespace tracebraid::api {
namespace {

constexpr size_t kRun = size_t{1} << 16;  // rows between checks of the Stop

struct SortColumn {
  size_t column;
  bool is_descending;
};
struct Condition {
  size_t column;
  std::string op;
  Cell value;
  std::string text;  // that `value` borrows
};

// Order of SQLite: NULL, numbers, texts, blobs.
int rank(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::Null:
      return 0;
    case Cell::Kind::Int:
    case Cell::Kind::Real:
      return 1;
    case Cell::Kind::Text:
      return 2;
    case Cell::Kind::Blob:
      break;
  }
  return 3;
}

long double number(const Cell& cell) {  // of 64 bits of precision: exact for both kinds
  return cell.kind == Cell::Kind::Int ? static_cast<long double>(cell.integer)
                                      : static_cast<long double>(cell.real);
}

int compare(const Cell& a, const Cell& b) {
  if (rank(a) != rank(b)) return rank(a) < rank(b) ? -1 : 1;
  if (rank(a) == 0) return 0;
  if (rank(a) > 1) return a.text.compare(b.text);
  if (a.kind == Cell::Kind::Int && b.kind == Cell::Kind::Int)
    return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
  return number(a) < number(b) ? -1 : number(a) > number(b) ? 1 : 0;
}

Result<size_t> find_column(const Schema& schema, const std::string& name) {
  for (size_t i = 0; i < schema.fields.size(); ++i)
    if (schema.fields[i].name == name) return i;
  const std::optional<int64_t> number = parse_decimal(name);
  if (number && *number >= 0 && static_cast<size_t>(*number) < schema.fields.size())
    return static_cast<size_t>(*number);
  return fail(ErrorCode::Usage, fmt::format("there is no column '{}'", name));
}

Result<std::vector<SortColumn>> parse_sort(const Schema& schema, std::string_view sort) {
  std::vector<SortColumn> columns;
  while (!sort.empty()) {
    const size_t end = std::min(sort.find(','), sort.size());
    std::string_view name = sort.substr(0, end);
    sort.remove_prefix(std::min(end + 1, sort.size()));
    const bool is_descending = name.starts_with('-');
    if (is_descending) name.remove_prefix(1);
    TB_TRY_ASSIGN(const size_t column, find_column(schema, std::string(name)));
    columns.push_back({column, is_descending});
  }
  return columns;
}

Result<Condition> parse_condition(const Schema& schema, const JsonValue& json) {
  const std::vector<JsonValue> parts = json.elements();
  if (parts.size() < 2)
    return fail(ErrorCode::Usage, "filter: a condition is [column, operator, value]");
  std::string name;
  if (parts[0].kind() == JsonValue::Kind::Int) {
    name = parts[0].json();
  } else {
    TB_TRY_ASSIGN(name, parts[0].text());
  }
  Condition condition;
  TB_TRY_ASSIGN(condition.column, find_column(schema, name));
  TB_TRY_ASSIGN(condition.op, parts[1].text());
  constexpr std::string_view kOperators[] = {"=",  "!=",       "<",    "<=",     ">",
                                             ">=", "contains", "null", "notnull"};
  if (std::ranges::find(kOperators, condition.op) == std::end(kOperators))
    return fail(ErrorCode::Usage, fmt::format("filter: unknown operator '{}'", condition.op));
  if (parts.size() < 3) return condition;
  if (parts[2].kind() == JsonValue::Kind::Int) {
    TB_TRY_ASSIGN(const int64_t value, parts[2].integer());
    condition.value = Cell::of(value);
  } else if (parts[2].kind() == JsonValue::Kind::Real) {
    TB_TRY_ASSIGN(const double value, parts[2].real());
    condition.value = Cell::of(value);
  } else {
    TB_TRY_ASSIGN(condition.text, parts[2].text());
  }
  return condition;
}

bool fulfils(const Cell& cell, const Condition& condition) {
  if (condition.op == "null") return cell.kind == Cell::Kind::Null;
  if (condition.op == "notnull") return cell.kind != Cell::Kind::Null;
  if (cell.kind == Cell::Kind::Null) return false;
  Cell value = condition.value;
  if (value.kind == Cell::Kind::Null) value = Cell::of(std::string_view(condition.text));
  if (condition.op == "contains") {
    std::string text;
    if (cell.kind == Cell::Kind::Text || cell.kind == Cell::Kind::Blob)
      return cell.text.find(condition.text) != std::string_view::npos;
    append_json(text, cell);
    return text.find(condition.text) != std::string::npos;
  }
  // A number that a client wrote as text, because it has more than 53 bits.
  if (rank(cell) == 1 && value.kind == Cell::Kind::Text)
    if (const std::optional<int64_t> parsed = parse_decimal(value.text)) value = Cell::of(*parsed);
  const int order = compare(cell, value);
  if (condition.op == "=") return order == 0;
  if (condition.op == "!=") return order != 0;
  if (condition.op == "<") return order < 0;
  if (condition.op == "<=") return order <= 0;
  return condition.op == ">" ? order > 0 : order >= 0;
}

Result<std::vector<uint32_t>> filter_rows(const StoredRows& rows,
                                          const std::vector<Condition>& conditions,
                                          const Stop& stop) {
  std::vector<uint32_t> kept;
  for (const auto& stored : rows.batches) {
    if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
    for (size_t row = 0; row < stored->batch.rows; ++row)
      if (std::ranges::all_of(conditions, [&](const Condition& each) {
            return fulfils(cell_at(stored->batch.columns[each.column], row), each);
          }))
        kept.push_back(static_cast<uint32_t>(stored->first + row));
  }
  return kept;
}

// Sorts runs, then merges them, so that a Stop is seen in time. Stable.
Result<> sort_rows(const StoredRows& rows, const std::vector<SortColumn>& columns,
                   std::vector<uint32_t>& order, const Stop& stop) {
  const auto is_less = [&](uint32_t a, uint32_t b) {
    const StoredRows::Place left = rows.find(a), right = rows.find(b);
    for (const SortColumn& each : columns) {
      const int result = compare(cell_at(left.batch->columns[each.column], left.row),
                                 cell_at(right.batch->columns[each.column], right.row));
      if (result != 0) return each.is_descending ? result > 0 : result < 0;
    }
    return false;
  };
  const auto at = [&](size_t i) {
    return order.begin() + static_cast<ptrdiff_t>(std::min(i, order.size()));
  };
  for (size_t i = 0; i < order.size(); i += kRun) {
    if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
    std::stable_sort(at(i), at(i + kRun), is_less);
  }
  std::vector<uint32_t> merged(order.size());
  for (size_t width = kRun; width < order.size(); width *= 2) {
    for (size_t i = 0; i < order.size(); i += 2 * width) {
      if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
      std::merge(at(i), at(i + width), at(i + width), at(i + 2 * width),
                 merged.begin() + static_cast<ptrdiff_t>(i), is_less);
    }
    order.swap(merged);
  }
  return {};
}

}  // namespace

Result<RowOrder> order_rows(const StoredRows& rows, std::string_view sort, std::string_view filter,
                            const Stop& stop) {
  if ((sort.empty() && filter.empty()) || rows.schema->fields.empty()) return RowOrder();
  if (rows.rows > UINT32_MAX) return fail(ErrorCode::Limit, "too many rows to sort or filter");
  TB_TRY_ASSIGN(const std::vector<SortColumn> columns, parse_sort(*rows.schema, sort));
  std::vector<Condition> conditions;
  if (!filter.empty()) {
    TB_TRY_ASSIGN(const JsonValue json, parse_json(fmt::format("{{\"filter\":{}}}", filter)));
    TB_TRY(json.member("filter").require(JsonValue::Kind::Array));
    for (const JsonValue& each : json.member("filter").elements()) {
      TB_TRY_ASSIGN(Condition condition, parse_condition(*rows.schema, each));
      conditions.push_back(std::move(condition));
    }
  }
  TB_TRY_ASSIGN(std::vector<uint32_t> order, filter_rows(rows, conditions, stop));
  TB_TRY(sort_rows(rows, columns, order, stop));
  return std::make_shared<const std::vector<uint32_t>>(std::move(order));
}

Result<RowOrder> StoredResult::order(const StoredRows& rows, const std::string& sort,
                                     const std::string& filter, const Stop& stop) {
  const std::string key = fmt::format("{}\n{}\n{}", rows.rows, sort, filter);
  {
    const std::scoped_lock lock(mutex_);
    if (key == order_key_) return order_;
  }
  TB_TRY_ASSIGN(RowOrder made, order_rows(rows, sort, filter, stop));
  const std::scoped_lock lock(mutex_);
  order_key_ = key;
  order_ = made;
  return made;
}

}  // namespace tracebraid::api
