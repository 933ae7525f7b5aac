// parquet, arrow: a folder with one file per table, for data frames and databases. Columns of raw
// tables are read in place. Results of SQL are read twice: once for types and dictionaries, once
// for the rows.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/new_file.h"
#include "base/workers.h"
#include "export/arrow/arrow_file.h"
#include "export/arrow/scan.h"
#include "export/arrow/stored.h"
#include "export/export.h"
#include "export/written_files.h"
#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

constexpr size_t kBatchRows = size_t{64} << 10;

// The sources of the columns of a table.
struct TableColumns {
  std::vector<StoredColumn> stored;
  std::string sql;  // query for the other columns; empty if there are none
  std::vector<size_t> stored_at, scanned_at;  // positions in the table
  size_t rows = 0;                            // rows of the stored columns
};

// Writes the batches of a file. Fills the next batch while one is written.
class Batches {
 public:
  Batches(ArrowFile& file, const TableColumns& columns, std::span<const ScannedColumn> scanned,
          Workers& workers, Progress& progress)
      : file_(file), columns_(columns), scanned_(scanned), progress_(progress), writing_(workers) {
    values_.resize(columns.stored.size() + scanned.size());
    written_values_.resize(values_.size());
  }

  Result<> add_stored(size_t rows) {
    while (rows != 0) {
      if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
      size_t batch = std::min(rows, kBatchRows);
      for (const StoredColumn& column : columns_.stored) batch = column.rows_of_batch(done_, batch);
      TB_TRY(write(batch));
      rows -= batch;
    }
    return {};
  }
  Result<> add_scanned(const RecordBatch& batch) {
    for (size_t row = 0; row < batch.rows; ++row) {
      bool is_full = ++waiting_ == kBatchRows;
      for (size_t i = 0; i < scanned_.size(); ++i) {
        ArrowValues& values = values_[columns_.scanned_at[i]];
        scanned_[i].add(cell_at(batch.columns[i], row), values);
        is_full |= values.is_full();
      }
      if (is_full) TB_TRY(flush());
    }
    return {};
  }
  // Flushes the rows buffered by add_scanned().
  Result<> flush() {
    const size_t rows = std::exchange(waiting_, 0);
    return rows == 0 ? Result<>() : write(rows);
  }
  // Waits until all batches are written. Call after the last one.
  Result<> finish() {
    TB_TRY(flush());
    writing_.wait();
    return written_;
  }
  uint64_t rows() const { return done_; }

 private:
  Result<> write(size_t rows) {
    for (size_t i = 0; i < columns_.stored.size(); ++i)
      columns_.stored[i].add(done_, rows, values_[columns_.stored_at[i]]);
    writing_.wait();
    TB_TRY(written_);
    std::swap(values_, written_values_);
    writing_.add(
        [this, rows] { written_ = file_.write(written_values_, static_cast<int64_t>(rows)); });
    for (ArrowValues& values : values_) values.clear();
    done_ += rows;
    progress_.advance(rows);
    return {};
  }

  ArrowFile& file_;
  const TableColumns& columns_;
  std::span<const ScannedColumn> scanned_;
  Progress& progress_;
  std::vector<ArrowValues> values_, written_values_;  // by column of the table
  size_t done_ = 0, waiting_ = 0;
  Result<> written_;
  TaskGroup writing_;  // last member, so it is destroyed (and waited for) first
};

std::vector<ArrowColumn> arrow_columns(const TableColumns& columns,
                                       std::span<const ScannedColumn> scanned) {
  std::vector<ArrowColumn> all(columns.stored.size() + scanned.size());
  for (size_t i = 0; i < columns.stored.size(); ++i)
    all[columns.stored_at[i]] = columns.stored[i].arrow();
  for (size_t i = 0; i < scanned.size(); ++i) all[columns.scanned_at[i]] = scanned[i].arrow();
  return all;
}

class RowsOf final : public BatchSink {
 public:
  RowsOf(Batches& batches, Progress& progress) : batches_(batches), progress_(progress) {}

  void begin(const Schema&) override { ++sets_; }
  bool add(const RecordBatch& batch) override {
    if (sets_ != 1 || progress_.cancelled()) return false;
    added_ = batches_.add_scanned(batch);
    return added_.has_value();
  }
  const Result<>& added() const { return added_; }
  uint32_t sets() const { return sets_; }

 private:
  Batches& batches_;
  Progress& progress_;
  Result<> added_;
  uint32_t sets_ = 0;
};

class ArrowExport {
 public:
  ArrowExport(const ExportSource& source, MakeArrowFile make, ArrowKind kind,
              std::string_view ending, Progress& progress)
      : source_(source),
        make_(make),
        kind_(kind),
        ending_(ending),
        progress_(progress),
        workers_(kThreads),
        files_(source.files) {}

  // Returns an Error if the folder holds other files.
  Result<> open_folder(const std::string& path, bool force) {
    return files_.open_folder(path, force);
  }

  // Writes the rows of `sql`.
  Result<> add(const std::string& sql, const std::string& path,
               std::span<const ArrowColumn> declared = {}) {
    TableColumns columns;
    columns.sql = sql;
    return add(std::move(columns), path, declared);
  }

  Result<> add_relation(const RelationInfo& relation, const std::string& path,
                        const Selection& selection) {
    TableColumns columns = columns_of(relation);
    if (selection.is_all() && !columns.stored.empty()) return add(std::move(columns), path, {});
    std::vector<ArrowColumn> declared;
    for (const StoredColumn& column : columns.stored)
      declared.push_back({column.arrow().name, column.arrow().type, {}});
    return add(select_sql(relation.name, relation.columns, selection), path, declared);
  }
  Result<> add_relation_in(const std::string& folder, const RelationInfo& relation,
                           const Selection& selection) {
    return add_relation(relation, fmt::format("{}/{}.{}", folder, relation.name, ending_),
                        selection);
  }

  Result<ExportReport> finish() && { return std::move(files_).finish(ending_); }

 private:
  // A table whose rows are not exactly those of a raw table has no stored columns.
  TableColumns columns_of(const RelationInfo& relation) {
    TableColumns columns;
    const auto stored = source_.stored_relation(relation.name);
    if (!stored || stored->columns.size() != relation.columns.size()) return columns;
    columns.rows = stored->rows;
    std::string computed;
    for (size_t i = 0; i < relation.columns.size(); ++i) {
      if (const ColumnView* view = stored->columns[i]) {
        columns.stored.emplace_back(relation.columns[i], *view, stored->rows,
                                    source_.store().strings);
        columns.stored_at.push_back(i);
      } else {
        computed += fmt::format("{}\"{}\"", computed.empty() ? "" : ", ", relation.columns[i]);
        columns.scanned_at.push_back(i);
      }
    }
    workers_.run(columns.stored.size(), [&](size_t i) { columns.stored[i].number_texts(); });
    if (!computed.empty())
      columns.sql = fmt::format("SELECT {} FROM \"{}\"", computed, relation.name);
    return columns;
  }

  Result<> add(TableColumns columns, const std::string& path,
               std::span<const ArrowColumn> declared) {
    std::vector<ScannedColumn> scanned;
    if (!columns.sql.empty()) {
      ResultScan scan(progress_);
      TB_TRY(source_.query(columns.sql, scan));
      if (scan.sets() == 0)
        return fail(ErrorCode::Usage,
                    "--query: a file holds the rows of a SELECT, and this is none");
      scanned = std::move(scan).finish(declared);
      for (size_t i = columns.scanned_at.size(); i < scanned.size(); ++i)
        columns.scanned_at.push_back(i);
    }
    TB_TRY_ASSIGN(NewFile file, files_.create(path));
    Result<std::unique_ptr<ArrowFile>> made;
    make_(kind_, file.fd(), path, arrow_columns(columns, scanned), made);
    TB_TRY_ASSIGN(const std::unique_ptr<ArrowFile> out, std::move(made));
    Batches batches(*out, columns, scanned, workers_, progress_);
    if (columns.sql.empty()) {
      TB_TRY(batches.add_stored(columns.rows));
    } else {
      RowsOf rows(batches, progress_);
      TB_TRY(source_.query(columns.sql, rows));
      TB_TRY(rows.added());
      if (rows.sets() > 1)
        return fail(
            ErrorCode::Usage,
            "--query: a file holds the rows of one SELECT, and this gives those of several");
    }
    TB_TRY(batches.finish());
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    TB_TRY(out->finish());
    return files_.add(std::move(file), batches.rows());
  }

  static constexpr unsigned kThreads = 2;  // one thread fills batches, one writes

  const ExportSource& source_;
  MakeArrowFile make_;
  ArrowKind kind_;
  std::string_view ending_;
  Progress& progress_;
  Workers workers_;
  WrittenFiles files_;
};

// Returns the folder name of a partition: machine=phone. Escapes characters that are invalid in
// paths as %2F.
std::string machine_folder(const Store& store, uint32_t machine) {
  const StringId name = store.machines.name[machine];
  std::string folder = "machine=";
  if (!name) return folder + std::to_string(machine);
  for (const char c : store.strings.get(name)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        byte > 0x20 && byte < 0x7f && std::string_view("/\\%=:").find(c) == std::string_view::npos;
    folder += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return folder;
}

// Tables whose rows belong to machines have one file per machine.
bool is_of_machines(const RelationInfo& relation) {
  for (const std::string_view column : {"machine_id", "track_id", "utid", "ucpu"})
    if (std::ranges::count(relation.columns, column) != 0) return true;
  return false;
}

// The folder of rows that belong to no machine, as programs name the partition of NULL.
constexpr std::string_view kNoMachine = "machine=__HIVE_DEFAULT_PARTITION__";

// Takes note of any row.
class AnyRow final : public BatchSink {
 public:
  void begin(const Schema&) override {}
  bool add(const RecordBatch& batch) override {
    found_ |= batch.rows > 0;
    return !found_;
  }
  bool found() const { return found_; }

 private:
  bool found_ = false;
};

// Writes the rows that belong to no machine, of tables with such rows.
Result<> add_without_machine(ArrowExport& files, const std::vector<RelationInfo>& relations,
                             const std::string& path, Selection part, const ExportSource& source) {
  part.without_machine = true;
  const std::string folder = fmt::format("{}/{}", path, kNoMachine);
  for (const RelationInfo& relation : relations) {
    if (!is_of_machines(relation)) continue;
    AnyRow row;
    TB_TRY(source.query(select_sql(relation.name, relation.columns, part) + " LIMIT 1", row));
    if (!row.found()) continue;
    TB_TRY(WrittenFiles::make_folder(folder));
    TB_TRY(files.add_relation_in(folder, relation, part));
  }
  return {};
}

Result<> add_by_machine(ArrowExport& files, const std::vector<RelationInfo>& relations,
                        const std::string& path, const Selection& selection,
                        const ExportSource& source) {
  const Store& store = source.store();
  std::vector<std::string> folders;
  for (uint32_t machine = 0; machine < store.machines.rows(); ++machine) {
    if (!selection.takes_machine(machine)) continue;
    Selection part = selection;
    part.machines.assign(store.machines.rows(), false);
    part.machines[machine] = true;
    // Machines with the same name are distinguished by their rows.
    std::string name = machine_folder(store, machine);
    if (std::ranges::count(folders, name) != 0) name += fmt::format("#{}", machine);
    folders.push_back(name);
    const std::string folder = path + "/" + name;
    TB_TRY(WrittenFiles::make_folder(folder));
    for (const RelationInfo& relation : relations)
      if (is_of_machines(relation)) TB_TRY(files.add_relation_in(folder, relation, part));
  }
  if (selection.machines.empty())
    TB_TRY(add_without_machine(files, relations, path, selection, source));
  for (const RelationInfo& relation : relations)
    if (!is_of_machines(relation)) TB_TRY(files.add_relation_in(path, relation, selection));
  return {};
}

Result<ExportReport> write_tables(const ExportSource& source, const ExportRequest& request,
                                  Progress& progress, ArrowKind kind, std::string_view ending) {
  TB_TRY_ASSIGN(const MakeArrowFile make, load_arrow_library(source.plugin_folder));
  TB_TRY_ASSIGN(const Selection selection, resolve(request.selection, source));
  progress.begin("exporting rows", 0, "rows");
  ArrowExport files(source, make, kind, ending, progress);
  if (!request.query.empty()) {
    TB_TRY(files.add(request.query, request.path));
    return std::move(files).finish();
  }
  TB_TRY_ASSIGN(const auto relations, copied_relations(source, request));
  if (relations.size() == 1 && !request.by_machine) {
    TB_TRY(files.add_relation(relations.front(), request.path, selection));
    return std::move(files).finish();
  }
  TB_TRY(files.open_folder(request.path, request.force));
  if (request.by_machine) {
    TB_TRY(add_by_machine(files, relations, request.path, selection, source));
    return std::move(files).finish();
  }
  for (const RelationInfo& relation : relations)
    TB_TRY(files.add_relation_in(request.path, relation, selection));
  return std::move(files).finish();
}

Result<ExportReport> write_parquet(const ExportSource& source, const ExportRequest& request,
                                   Progress& progress) {
  return write_tables(source, request, progress, ArrowKind::Parquet, "parquet");
}
Result<ExportReport> write_arrow(const ExportSource& source, const ExportRequest& request,
                                 Progress& progress) {
  return write_tables(source, request, progress, ArrowKind::Ipc, "arrow");
}

}  // namespace

extern const Exporter parquet_exporter, arrow_exporter;
const Exporter parquet_exporter = {"parquet", "Parquet, one file a table", write_parquet, true};
const Exporter arrow_exporter = {"arrow", "Arrow IPC, one file a table", write_arrow, true};

}  // namespace tracebraid
