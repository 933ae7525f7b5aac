// JSON: an array of objects for each result set.
//
//   [
//   {"ts":100,"name":"draw"},
//   {"ts":101,"name":null}
//   ]
#include <fmt/format.h>

#include <algorithm>

#include "export/rows/cell_text.h"
#include "export/rows/row_writer.h"
#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

// Keys of an object must be distinct: the second "ts" becomes "ts:2".
std::vector<std::string> distinct_keys(const Schema& schema) {
  std::vector<std::string> keys;
  for (const Field& field : schema.fields) {
    std::string key = field.name;
    for (int n = 2; std::ranges::find(keys, key) != keys.end(); ++n)
      key = fmt::format("{}:{}", field.name, n);
    keys.push_back(std::move(key));
  }
  return keys;
}

class JsonWriter final : public BatchSink {
 public:
  explicit JsonWriter(Output& out) : out_(out) {}

  void begin(const Schema& schema) override {
    end();
    if (!first_) out_.buffer().push_back('\n');
    first_ = false;
    keys_.clear();
    for (const std::string& key : distinct_keys(schema)) {
      std::string quoted;
      append_json_string(quoted, key);
      keys_.push_back(quoted + ":");
    }
    out_.buffer().push_back('[');
    open_ = true;
    empty_ = true;
  }

  bool add(const RecordBatch& batch) override {
    std::string& to = out_.buffer();
    for (size_t row = 0; row < batch.rows && out_.ok(); ++row) {
      to.append(empty_ ? "\n{" : ",\n{");
      empty_ = false;
      for (size_t i = 0; i < batch.columns.size(); ++i) {
        if (i > 0) to.push_back(',');
        to.append(keys_[i]);
        append_json(to, cell_at(batch.columns[i], row));
      }
      to.push_back('}');
      out_.drain();
    }
    out_.flush();
    return out_.ok();
  }

  void end() override {
    if (open_) out_.buffer().append(empty_ ? "]\n" : "\n]\n");
    open_ = false;
  }

 private:
  Output& out_;
  std::vector<std::string> keys_;  // as JSON strings, with the colon
  bool first_ = true;
  bool open_ = false;
  bool empty_ = true;
};

}  // namespace

std::unique_ptr<BatchSink> make_json_writer(Output& out) {
  return std::make_unique<JsonWriter>(out);
}

}  // namespace tracebraid
