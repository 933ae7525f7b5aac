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

namespace tracebraid {
namespace {

// Keys of an object must be distinct: the second "ts" becomes "ts:2".
std::vector<std::string> distinct(std::span<const std::string> names) {
  std::vector<std::string> keys;
  for (const std::string& name : names) {
    std::string key = name;
    for (int n = 2; std::ranges::find(keys, key) != keys.end(); ++n)
      key = fmt::format("{}:{}", name, n);
    keys.push_back(std::move(key));
  }
  return keys;
}

class JsonWriter final : public RowSink {
 public:
  explicit JsonWriter(Output& out) : out_(out) {}

  void columns(std::span<const std::string> names) override {
    end();
    if (!first_) out_.buffer().push_back('\n');
    first_ = false;
    keys_.clear();
    for (const std::string& key : distinct(names)) {
      std::string quoted;
      append_json_string(quoted, key);
      keys_.push_back(quoted + ":");
    }
    out_.buffer().push_back('[');
    open_ = true;
    empty_ = true;
  }

  bool row(std::span<const Cell> cells) override {
    std::string& to = out_.buffer();
    to.append(empty_ ? "\n{" : ",\n{");
    empty_ = false;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) to.push_back(',');
      to.append(keys_[i]);
      append_json(to, cells[i]);
    }
    to.push_back('}');
    out_.drain();
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

std::unique_ptr<RowSink> make_json_writer(Output& out) { return std::make_unique<JsonWriter>(out); }

}  // namespace tracebraid
