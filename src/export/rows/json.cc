// JSON objects, one a row: as an array for each result set, or one a line.
//
//   [                                   {"ts":100,"name":"draw"}
//   {"ts":100,"name":"draw"},           {"ts":101,"name":null}
//   {"ts":101,"name":null}
//   ]
#include <absl/strings/match.h>
#include <fmt/format.h>

#include <algorithm>

#include "export/rows/cell_text.h"
#include "export/rows/row_writer.h"
#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

// Keys of an object must be distinct: the second "ts" becomes "ts:2". So does "TS", because DuckDB
// and others ignore the case of columns.
std::vector<std::string> distinct_keys(const Schema& schema) {
  std::vector<std::string> keys;
  for (const Field& field : schema.fields) {
    std::string key = field.name;
    const auto is_taken = [&](const std::string& other) {
      return absl::EqualsIgnoreCase(other, key);
    };
    for (int n = 2; std::ranges::any_of(keys, is_taken); ++n)
      key = fmt::format("{}:{}", field.name, n);
    keys.push_back(std::move(key));
  }
  return keys;
}

// The text of a result set around its objects.
struct ObjectStyle {
  std::string_view open, first, next, row_end, close, close_empty, between_sets;
};
constexpr ObjectStyle kArray = {"[", "\n", ",\n", "", "\n]\n", "]\n", "\n"};
constexpr ObjectStyle kLines = {"", "", "", "\n", "", "", ""};

class ObjectWriter final : public BatchSink {
 public:
  ObjectWriter(Output& out, const ObjectStyle& style) : out_(out), style_(style) {}

  void begin(const Schema& schema) override {
    end();
    if (!first_) out_.buffer().append(style_.between_sets);
    first_ = false;
    keys_.clear();
    for (const std::string& key : distinct_keys(schema)) {
      std::string quoted;
      append_json_string(quoted, key);
      keys_.push_back(quoted + ":");
    }
    out_.buffer().append(style_.open);
    open_ = true;
    empty_ = true;
  }

  bool add(const RecordBatch& batch) override {
    std::string& to = out_.buffer();
    for (size_t row = 0; row < batch.rows && out_.ok(); ++row) {
      to.append(empty_ ? style_.first : style_.next);
      empty_ = false;
      to.push_back('{');
      for (size_t i = 0; i < batch.columns.size(); ++i) {
        if (i > 0) to.push_back(',');
        to.append(keys_[i]);
        append_json(to, cell_at(batch.columns[i], row));
      }
      to.push_back('}');
      to.append(style_.row_end);
      out_.drain();
    }
    out_.flush();
    return out_.ok();
  }

  void end() override {
    if (open_) out_.buffer().append(empty_ ? style_.close_empty : style_.close);
    open_ = false;
  }

 private:
  Output& out_;
  const ObjectStyle& style_;
  std::vector<std::string> keys_;  // as JSON strings, with the colon
  bool first_ = true;
  bool open_ = false;
  bool empty_ = true;
};

}  // namespace

std::unique_ptr<BatchSink> make_json_writer(Output& out, const RowLayout&) {
  return std::make_unique<ObjectWriter>(out, kArray);
}

std::unique_ptr<BatchSink> make_ndjson_writer(Output& out, const RowLayout&) {
  return std::make_unique<ObjectWriter>(out, kLines);
}

}  // namespace tracebraid
