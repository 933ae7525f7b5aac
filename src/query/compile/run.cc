// Runs all statements of a text (see query/compile/connection.h).
#include "query/batch/batch_sink.h"
#include "query/batch/cell_at.h"
#include "query/compile/connection.h"
#include "query/compile/query.h"

namespace tracebraid {
namespace {

// Hands the rows of batches to a RowSink, one by one.
class RowsOfBatches final : public BatchSink {
 public:
  RowsOfBatches(RowSink& rows, const Stop* stop) : rows_(rows), stop_(stop) {}

  void begin(const Schema& schema) override {
    std::vector<std::string> names;
    for (const Field& field : schema.fields) names.push_back(field.name);
    cells_.resize(names.size());
    rows_.columns(names);
  }
  bool add(const RecordBatch& batch) override {
    for (size_t row = 0; row < batch.rows; ++row) {
      // The query gives the error.
      if (stop_ != nullptr && stop_->requested()) return true;
      for (size_t i = 0; i < cells_.size(); ++i) cells_[i] = cell_at(batch.columns[i], row);
      if (!rows_.row(cells_)) return false;
    }
    return true;
  }
  void end() override { rows_.end(); }

 private:
  RowSink& rows_;
  const Stop* stop_;
  std::vector<Cell> cells_;
};

}  // namespace

Result<> run(Connection& connection, std::string_view sql, BatchSink& sink, QueryOptions options) {
  options.verbatim = true;
  TB_TRY_ASSIGN(Query results, query_all(connection, sql, std::move(options)));
  return hand_out(results, sink);
}

Result<> run(Connection& connection, std::string_view sql, RowSink& sink,
             const QueryOptions& options) {
  RowsOfBatches rows(sink, options.stop.get());
  return run(connection, sql, rows, options);
}

}  // namespace tracebraid
