// parquet, arrow: a folder with one file a table, for data frames and databases. Each result is
// gone through twice: once for the types and dictionaries of its columns, once for the rows.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/new_file.h"
#include "export/arrow/arrow_file.h"
#include "export/export.h"

namespace tracebraid {
namespace {

class RowsOf final : public RowSink {
 public:
  RowsOf(ArrowFile& file, Progress& progress) : file_(file), progress_(progress) {}

  void columns(std::span<const std::string>) override { ++sets_; }
  bool row(std::span<const Cell> cells) override {
    if (sets_ != 1 || progress_.cancelled()) return false;
    added_ = file_.add(cells);
    progress_.advance(1);
    return added_.has_value();
  }
  const Result<>& added() const { return added_; }

 private:
  ArrowFile& file_;
  Progress& progress_;
  Result<> added_;
  uint32_t sets_ = 0;
};

class ArrowExport {
 public:
  ArrowExport(Session& session, ArrowKind kind, std::string_view ending, Progress& progress)
      : session_(session), kind_(kind), ending_(ending), progress_(progress) {}

  Result<> add(const std::string& sql, const std::string& path) {
    ColumnScan scan(progress_);
    TB_TRY(session_.query(sql, scan));
    report_.rows += scan.rows();
    TB_TRY_ASSIGN(NewFile file, NewFile::create(path));
    TB_TRY_ASSIGN(const std::unique_ptr<ArrowFile> out,
                  ArrowFile::create(kind_, file.fd(), path, std::move(scan).finish()));
    RowsOf rows(*out, progress_);
    TB_TRY(session_.query(sql, rows));
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    TB_TRY(rows.added());
    TB_TRY(out->finish());
    std::error_code ignored;
    if (const auto size = std::filesystem::file_size(file.written_path(), ignored); !ignored)
      report_.bytes += size;
    TB_TRY(file.close());
    files_.push_back(std::move(file));
    return {};
  }

  Result<> add_relation(const Database::Relation& relation, const std::string& folder,
                        const Selection& selection) {
    return add(select_sql(relation.name, relation.columns, selection),
               fmt::format("{}/{}.{}", folder, relation.name, ending_));
  }

  // All files get their names, now that each of them is whole.
  Result<ExportReport> finish() && {
    for (NewFile& file : files_) TB_TRY(file.finish());
    return std::move(report_);
  }

 private:
  Session& session_;
  ArrowKind kind_;
  std::string_view ending_;
  Progress& progress_;
  ExportReport report_;
  std::vector<NewFile> files_;
};

Result<> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return fail(ErrorCode::Io, fmt::format("cannot make the folder {}: {}", path, failed.message()));
}

// As the folders of a partitioned set are called: machine=phone. Letters that are none of a path
// are written as %2F.
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

// Tables that say whose their rows are have a file for each machine.
bool is_of_machines(const Database::Relation& relation) {
  for (const std::string_view column : {"machine_id", "track_id", "utid", "ucpu"})
    if (std::ranges::count(relation.columns, column) != 0) return true;
  return false;
}

Result<> add_by_machine(ArrowExport& files, const std::vector<Database::Relation>& relations,
                        const std::string& path, const Selection& selection, const Store& store) {
  std::vector<std::string> folders;
  for (uint32_t machine = 0; machine < store.machines.rows(); ++machine) {
    if (!selection.takes_machine(machine)) continue;
    Selection part = selection;
    part.machines.assign(store.machines.rows(), false);
    part.machines[machine] = true;
    // Machines of one name are told apart by their rows.
    std::string name = machine_folder(store, machine);
    if (std::ranges::count(folders, name) != 0) name += fmt::format("#{}", machine);
    folders.push_back(name);
    const std::string folder = path + "/" + name;
    TB_TRY(make_folder(folder));
    for (const Database::Relation& relation : relations)
      if (is_of_machines(relation)) TB_TRY(files.add_relation(relation, folder, part));
  }
  for (const Database::Relation& relation : relations)
    if (!is_of_machines(relation)) TB_TRY(files.add_relation(relation, path, selection));
  return {};
}

Result<ExportReport> write_tables(Session& session, const ExportRequest& request,
                                  Progress& progress, ArrowKind kind, std::string_view ending) {
  TB_TRY(ArrowFile::available());
  TB_TRY_ASSIGN(const Selection selection, resolve(request.selection, session));
  progress.begin("exporting rows", 0, "rows");
  ArrowExport files(session, kind, ending, progress);
  if (!request.query.empty()) {
    TB_TRY(files.add(request.query, request.path));
    return std::move(files).finish();
  }
  TB_TRY_ASSIGN(const auto relations, exported_relations(session, request));
  if (relations.size() == 1 && !request.by_machine) {
    const Database::Relation& only = relations.front();
    TB_TRY(files.add(select_sql(only.name, only.columns, selection), request.path));
    return std::move(files).finish();
  }
  TB_TRY(make_folder(request.path));
  if (request.by_machine) {
    TB_TRY(add_by_machine(files, relations, request.path, selection, session.store()));
    return std::move(files).finish();
  }
  for (const Database::Relation& relation : relations)
    TB_TRY(files.add_relation(relation, request.path, selection));
  return std::move(files).finish();
}

Result<ExportReport> write_parquet(Session& session, const ExportRequest& request,
                                   Progress& progress) {
  return write_tables(session, request, progress, ArrowKind::Parquet, "parquet");
}
Result<ExportReport> write_arrow(Session& session, const ExportRequest& request,
                                 Progress& progress) {
  return write_tables(session, request, progress, ArrowKind::Ipc, "arrow");
}

}  // namespace

extern const Exporter parquet_exporter, arrow_exporter;
const Exporter parquet_exporter = {"parquet", "Parquet, one file a table", write_parquet};
const Exporter arrow_exporter = {"arrow", "Arrow IPC, one file a table", write_arrow};

}  // namespace tracebraid
