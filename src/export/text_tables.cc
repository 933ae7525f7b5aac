// csv, tsv, jsonl, ndjson: the rows of a query or of one table in a file, or a folder with one file
// per table.
#include <fmt/format.h>

#include "base/new_file.h"
#include "export/export.h"
#include "export/rows/row_writer.h"
#include "export/written_files.h"

namespace tracebraid {
namespace {

// Forwards and counts rows; stops when the user interrupts.
class CountingSink final : public BatchSink {
 public:
  CountingSink(BatchSink& to, Progress& progress) : to_(to), progress_(progress) {}
  void begin(const Schema& schema) override { to_.begin(schema); }
  bool add(const RecordBatch& batch) override {
    rows_ += batch.rows;
    progress_.advance(batch.rows);
    return to_.add(batch) && !progress_.cancelled();
  }
  void end() override { to_.end(); }
  uint64_t rows() const { return rows_; }

 private:
  BatchSink& to_;
  Progress& progress_;
  uint64_t rows_ = 0;
};

class TextExport {
 public:
  TextExport(const ExportSource& source, std::string_view format, Progress& progress)
      : source_(source),
        ending_(format),
        format_(*find_row_format(format)),
        progress_(progress),
        files_(source.files) {}

  // Returns an Error if the folder holds other files.
  Result<> open_folder(const std::string& path, bool force) {
    return files_.open_folder(path, force);
  }

  // Writes the rows of `sql` to one file through a buffer of fixed size.
  Result<> add(const std::string& sql, const std::string& path) {
    TB_TRY_ASSIGN(NewFile file, files_.create(path));
    Output out(file.fd(), path);
    const std::unique_ptr<BatchSink> writer = format_.make(out, {});
    CountingSink rows(*writer, progress_);
    TB_TRY(source_.query(sql, rows));
    writer->end();
    out.flush();
    TB_TRY(out.result());
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    return files_.add(std::move(file), rows.rows());
  }

  Result<ExportReport> finish() && { return std::move(files_).finish(ending_); }

 private:
  const ExportSource& source_;
  std::string_view ending_;
  const RowFormat& format_;
  Progress& progress_;
  WrittenFiles files_;
};

Result<ExportReport> write_text(const ExportSource& source, const ExportRequest& request,
                                Progress& progress, std::string_view format) {
  TB_TRY_ASSIGN(const Selection selection, resolve(request.selection, source));
  progress.begin("exporting rows", 0, "rows");
  TextExport files(source, format, progress);
  if (!request.query.empty()) {
    TB_TRY(files.add(request.query, request.path));
    return std::move(files).finish();
  }
  TB_TRY_ASSIGN(const auto relations, copied_relations(source, request));
  const auto select = [&](const RelationInfo& relation) {
    return select_sql(relation.name, relation.columns, selection);
  };
  if (relations.size() == 1) {
    TB_TRY(files.add(select(relations.front()), request.path));
    return std::move(files).finish();
  }
  TB_TRY(files.open_folder(request.path, request.force));
  for (const RelationInfo& relation : relations)
    TB_TRY(
        files.add(select(relation), fmt::format("{}/{}.{}", request.path, relation.name, format)));
  return std::move(files).finish();
}

Result<ExportReport> write_csv(const ExportSource& source, const ExportRequest& request,
                               Progress& progress) {
  return write_text(source, request, progress, "csv");
}
Result<ExportReport> write_tsv(const ExportSource& source, const ExportRequest& request,
                               Progress& progress) {
  return write_text(source, request, progress, "tsv");
}
Result<ExportReport> write_jsonl(const ExportSource& source, const ExportRequest& request,
                                 Progress& progress) {
  return write_text(source, request, progress, "jsonl");
}
Result<ExportReport> write_ndjson(const ExportSource& source, const ExportRequest& request,
                                  Progress& progress) {
  return write_text(source, request, progress, "ndjson");
}

}  // namespace

extern const Exporter csv_exporter, tsv_exporter, jsonl_exporter, ndjson_exporter;
const Exporter csv_exporter = {"csv", "comma-separated values, one file a table", write_csv, true};
const Exporter tsv_exporter = {"tsv", "tab-separated values, one file a table", write_tsv, true};
const Exporter jsonl_exporter = {"jsonl", "one JSON array a row, one file a table", write_jsonl,
                                 true};
const Exporter ndjson_exporter = {"ndjson", "one JSON object a row, one file a table", write_ndjson,
                                  true};

}  // namespace tracebraid
