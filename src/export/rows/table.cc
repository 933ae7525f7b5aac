// Tables for display: columns aligned, numbers to the right; plain or in a box.
#include <fmt/format.h>

#include "export/rows/cell_text.h"
#include "export/rows/grid.h"
#include "export/rows/row_writer.h"
#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

// The number of rows buffered to measure the columns. Later rows are written at once, so memory is
// bounded.
constexpr size_t kMeasuredRows = 10'000;

class TableWriter final : public BatchSink {
 public:
  TableWriter(Output& out, GridStyle style, const RowLayout& layout)
      : out_(out), style_(style), layout_(layout) {}

  void begin(const Schema& schema) override {
    end();
    if (!first_) out_.buffer().push_back('\n');
    first_ = false;
    std::vector<std::string> shown;
    for (const Field& field : schema.fields) append_shown(shown.emplace_back(), field.name);
    columns_ = grid_columns(shown);
    given_columns_ = shown.size();
    left_out_ = 0;
    numeric_.assign(shown.size(), true);
    measuring_ = open_ = true;
  }

  bool add(const RecordBatch& batch) override {
    for (size_t row = 0; row < batch.rows && out_.ok(); ++row) add_row(batch, row);
    if (!measuring_) out_.flush();
    return out_.ok();
  }

  void end() override {
    if (!open_) return;
    if (measuring_) write_kept();
    append_grid_foot(out_.buffer(), columns_, style_);
    if (left_out_ > 0)
      out_.buffer() += fmt::format("({} of {} columns; {})\n", given_columns_ - left_out_,
                                   given_columns_, layout_.all_columns_advice);
    out_.drain();
    open_ = false;
  }

 private:
  void add_row(const RecordBatch& batch, size_t row) {
    std::vector<std::string> texts(given_columns_);
    for (size_t i = 0; i < texts.size(); ++i) {
      const Cell cell = cell_at(batch.columns[i], row);
      append_shown(texts[i], cell);
      if (measuring_ && (cell.kind == Cell::Kind::Text || cell.kind == Cell::Kind::Blob))
        numeric_[i] = false;
    }
    if (!measuring_) return write_row(texts);
    widen(columns_, texts);
    kept_.push_back(std::move(texts));
    if (kept_.size() == kMeasuredRows) write_kept();
  }

  void write_row(std::vector<std::string>& texts) {
    if (left_out_ > 0) texts[columns_.size() - 1] = "…";
    append_grid_row(out_.buffer(), columns_, texts, style_);
    out_.drain();
  }

  void write_kept() {
    for (size_t i = 0; i < columns_.size(); ++i)
      if (numeric_[i] && !kept_.empty()) columns_[i].align = Align::Right;
    if (layout_.width > 0) left_out_ = fit(columns_, layout_.width, style_);
    append_grid_head(out_.buffer(), columns_, style_);
    for (std::vector<std::string>& texts : kept_) write_row(texts);
    kept_.clear();
    measuring_ = false;
  }

  Output& out_;
  GridStyle style_;
  RowLayout layout_;
  std::vector<GridColumn> columns_;
  std::vector<bool> numeric_;
  size_t given_columns_ = 0, left_out_ = 0;
  std::vector<std::vector<std::string>> kept_;
  bool first_ = true;
  bool measuring_ = false;
  bool open_ = false;
};

}  // namespace

std::unique_ptr<BatchSink> make_table_writer(Output& out, const RowLayout& layout) {
  return std::make_unique<TableWriter>(out, GridStyle::Plain, layout);
}

std::unique_ptr<BatchSink> make_box_writer(Output& out, const RowLayout& layout) {
  return std::make_unique<TableWriter>(out, GridStyle::Box, layout);
}

}  // namespace tracebraid
