// JSON lines: one array per line, the column names first.
//
//   ["ts","name","value"]
//   [100,"draw",2.5]
//   [101,null,{"blob":"00ff"}]
#include "export/rows/cell_text.h"
#include "export/rows/row_writer.h"

namespace tracebraid {
namespace {

class JsonlWriter final : public RowSink {
 public:
  explicit JsonlWriter(Output& out) : out_(out) {}

  void columns(std::span<const std::string> names) override {
    std::string& to = out_.buffer();
    if (!first_) to.push_back('\n');
    first_ = false;
    to.push_back('[');
    for (const std::string& name : names) {
      append_json_string(to, name);
      to.push_back(',');
    }
    close(to);
  }

  bool row(std::span<const Cell> cells) override {
    std::string& to = out_.buffer();
    to.push_back('[');
    for (const Cell& cell : cells) {
      append_json(to, cell);
      to.push_back(',');
    }
    close(to);
    out_.drain();
    return out_.ok();
  }

 private:
  static void close(std::string& to) {
    if (to.back() == ',') to.pop_back();
    to.append("]\n");
  }

  Output& out_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<RowSink> make_jsonl_writer(Output& out) {
  return std::make_unique<JsonlWriter>(out);
}

}  // namespace tracebraid
