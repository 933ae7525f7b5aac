#include "format/gecko/tables.h"

#include <algorithm>
#include <utility>

namespace tracebraid::gecko {
namespace {

constexpr size_t kNoColumn = ~size_t{0};
constexpr int64_t kMostColumns = 1000;

}  // namespace

Table::Table(const json::Value& value) : fields_(value) {
  if (const json::Value& schema = fields_["schema"]; schema.has(json::Kind::Object)) {
    has_schema_ = true;
    schema_ = JsonFields(schema);
  } else if (const auto length = scanned_integer(fields_["length"])) {
    rows_ = static_cast<size_t>(std::max<int64_t>(*length, 0));
  }
}

bool Table::has(std::string_view column) const {
  return (has_schema_ ? schema_ : fields_)[column].kind != json::Kind::Absent;
}

Table::Rows Table::start(std::span<const std::string_view> columns, const Input* input) const {
  Rows rows;
  if (!has_schema_) {
    for (const std::string_view column : columns) {
      JsonScan& scan = rows.scans.emplace_back(fields_[column].raw, input);
      rows.has_more.push_back(scan.enter('['));
    }
    return rows;
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const int64_t place = scanned_integer(schema_[columns[i]]).value_or(-1);
    if (place < 0 || place >= kMostColumns) continue;
    const auto at = static_cast<size_t>(place);
    if (at >= rows.places.size()) rows.places.resize(at + 1, kNoColumn);
    rows.places[at] = i;
  }
  JsonScan& scan = rows.scans.emplace_back(fields_["data"].raw, input);
  rows.has_more.push_back(scan.enter('['));
  return rows;
}

bool Table::next(Rows& rows, std::span<json::Value> values) const {
  std::ranges::fill(values, json::Value{});
  bool any = false;
  for (size_t i = 0; i < rows.scans.size(); ++i) {
    if (rows.has_more[i]) rows.has_more[i] = rows.scans[i].next_item();
    if (!rows.has_more[i]) continue;
    if (!std::exchange(any, true)) rows.row.at = rows.scans[i].position();
    if (!has_schema_) values[i] = rows.scans[i].take();
  }
  if (!has_schema_ || !any) return any;
  JsonScan& scan = rows.scans.front();
  rows.row.is_bad = !scan.enter('[');
  if (rows.row.is_bad) return true;
  for (size_t place = 0; scan.next_item(); ++place) {
    const json::Value& value = scan.take();
    if (place < rows.places.size() && rows.places[place] != kNoColumn)
      values[rows.places[place]] = value;
  }
  return true;
}

int64_t index_in(const json::Value& value) {
  return std::max(scanned_integer(value).value_or(kNoIndex), kNoIndex);
}

std::vector<std::string> names_in(const json::Value& list) {
  std::vector<std::string> names;
  JsonScan scan(list.raw);
  if (scan.enter('['))
    while (scan.next_item()) names.push_back(scanned_text(JsonFields(scan.take())["name"]));
  return names;
}

}  // namespace tracebraid::gecko
