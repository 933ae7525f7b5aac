// JSON lines: one array per line, the column names first.
//
//   ["ts","name","value"]
//   [100,"draw",2.5]
//   [101,null,{"blob":"00ff"}]
#include "export/rows/cell_text.h"
#include "export/rows/row_writer.h"
#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

class JsonlWriter final : public BatchSink {
 public:
  explicit JsonlWriter(Output& out) : out_(out) {}

  void begin(const Schema& schema) override {
    std::string& to = out_.buffer();
    if (!first_) to.push_back('\n');
    first_ = false;
    to.push_back('[');
    for (const Field& field : schema.fields) {
      append_json_string(to, field.name);
      to.push_back(',');
    }
    close(to);
  }

  bool add(const RecordBatch& batch) override {
    std::string& to = out_.buffer();
    for (size_t row = 0; row < batch.rows && out_.ok(); ++row) {
      to.push_back('[');
      for (const ArrayData& column : batch.columns) {
        append_json(to, cell_at(column, row));
        to.push_back(',');
      }
      close(to);
      out_.drain();
    }
    out_.flush();
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

std::unique_ptr<BatchSink> make_jsonl_writer(Output& out, const RowLayout&) {
  return std::make_unique<JsonlWriter>(out);
}

}  // namespace tracebraid
