// sqlite: a database file. Raw tables are stored as tables. Public names are views over them if
// plain SQLite can evaluate them, and tables otherwise, because other programs do not have our SQL
// functions.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/new_file.h"
#include "export/export.h"
#include "query/batch/cell_at.h"
#include "tables/references.h"
#include "tables/registry.h"

namespace tracebraid {
namespace {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using DatabasePtr = std::unique_ptr<sqlite3, CloseDatabase>;
using StatementPtr = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

Error sqlite_error(sqlite3* db, const std::string& path) {
  if (sqlite3_errcode(db) == SQLITE_NOMEM) return {ErrorCode::NoMemory, "out of memory"};
  return {ErrorCode::Io, fmt::format("cannot write {}: {}", path, sqlite3_errmsg(db))};
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

// Creates a table without types, for the columns of a view or a query.
std::string untyped_table_sql(std::string_view table, const Schema& schema) {
  std::vector<std::string> quoted;
  for (const Field& field : schema.fields) quoted.push_back(quoted_name(field.name));
  return fmt::format("CREATE TABLE \"{}\" ({})", table, fmt::join(quoted, ", "));
}

// Copies rows into one table of the file.
class InsertSink final : public BatchSink {
 public:
  enum class Table : uint8_t { IsThere, ToMake };
  InsertSink(sqlite3* db, std::string table, Table is_made, Progress& progress)
      : db_(db),
        table_(std::move(table)),
        is_made_(is_made == Table::IsThere),
        progress_(progress) {}

  // Uses the first of several result sets.
  void begin(const Schema& schema) override {
    if (insert_) {
      is_full_ = true;
      return;
    }
    if (!is_made_) {
      const std::string create = untyped_table_sql(table_, schema);
      ok_ = sqlite3_exec(db_, create.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
      if (!ok_) return;
    }
    std::vector<std::string> marks(schema.fields.size(), "?");
    const std::string sql =
        fmt::format("INSERT INTO \"{}\" VALUES ({})", table_, fmt::join(marks, ","));
    sqlite3_stmt* compiled = nullptr;
    ok_ = sqlite3_prepare_v2(db_, sql.c_str(), -1, &compiled, nullptr) == SQLITE_OK;
    insert_.reset(compiled);
  }

  bool add(const RecordBatch& batch) override {
    if (is_full_) return false;
    for (size_t row = 0; ok_ && row < batch.rows; ++row) {
      for (size_t i = 0; i < batch.columns.size(); ++i)
        bind(static_cast<int>(i) + 1, cell_at(batch.columns[i], row));
      ok_ = sqlite3_step(insert_.get()) == SQLITE_DONE;
      sqlite3_reset(insert_.get());
    }
    rows_ += batch.rows;
    progress_.advance(batch.rows);
    return ok_ && !progress_.cancelled();
  }

  bool ok() const { return ok_; }
  uint64_t rows() const { return rows_; }

 private:
  void bind(int at, const Cell& cell) {
    switch (cell.kind) {
      case Cell::Kind::Null:
        sqlite3_bind_null(insert_.get(), at);
        return;
      case Cell::Kind::Int:
        sqlite3_bind_int64(insert_.get(), at, cell.integer);
        return;
      case Cell::Kind::Real:
        sqlite3_bind_double(insert_.get(), at, cell.real);
        return;
      case Cell::Kind::Text:
        sqlite3_bind_text64(insert_.get(), at, cell.text.data(), cell.text.size(), SQLITE_STATIC,
                            SQLITE_UTF8);
        return;
      case Cell::Kind::Blob:
        sqlite3_bind_blob64(insert_.get(), at, cell.text.data(), cell.text.size(), SQLITE_STATIC);
        return;
    }
  }

  sqlite3* db_;
  std::string table_;
  bool is_made_;
  Progress& progress_;
  StatementPtr insert_;
  bool ok_ = true, is_full_ = false;
  uint64_t rows_ = 0;
};

class SqliteFile {
 public:
  SqliteFile(const ExportSource& source, const ExportRequest& request, const Selection& selection,
             Progress& progress)
      : source_(source), request_(request), selection_(selection), progress_(progress) {}

  Result<> open(const std::string& path) {
    sqlite3* db = nullptr;
    const int rc =
        sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    db_.reset(db);
    if (rc != SQLITE_OK) return tl::unexpected(sqlite_error(db, request_.path));
    // The file has a temporary name until it is complete, so it needs no journal and no sync.
    return execute(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
        "BEGIN");
  }

  Result<> add_raw_tables(std::span<const TableView> views) {
    for (const TableView& view : views) {
      if (view.name == ArgsTable::kFullName && !source_.store().args.has_details()) {
        // Their rows are equal.
        TB_TRY(execute(fmt::format("CREATE VIEW \"{}\" AS SELECT * FROM \"{}\"", view.name,
                                   ArgsTable::kName)));
        continue;
      }
      TB_TRY(execute(create_sql(view)));
      std::vector<std::string> columns;
      for (const ColumnView& column : view.columns) columns.emplace_back(column.name);
      TB_TRY(copy(select_sql(view.name, columns, selection_), std::string(view.name)));
      if (std::ranges::count(columns, "ts") != 0)
        TB_TRY(execute(fmt::format("CREATE INDEX \"{0}_ts\" ON \"{0}\"(ts)", view.name)));
    }
    return {};
  }

  // Writes a public relation: a view if plain SQLite can evaluate it, else its rows.
  Result<> add_public(const RelationInfo& relation) {
    if (!relation.sql.empty()) {
      TB_TRY_ASSIGN(const bool is_view, add_view(relation));
      if (is_view) return {};
    }
    return copy(select_sql(relation.name, relation.columns, selection_), relation.name,
                InsertSink::Table::ToMake);
  }

  // Writes the rows of a query as a table named "result".
  Result<> add_query(const std::string& sql) {
    return copy(sql, "result", InsertSink::Table::ToMake);
  }

  Result<ExportReport> close() {
    TB_TRY(execute("COMMIT"));
    if (sqlite3_close(db_.release()) != SQLITE_OK)
      return fail(ErrorCode::Io, "cannot write " + request_.path);
    return report_;
  }

 private:
  Result<> execute(const std::string& sql) {
    if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return tl::unexpected(sqlite_error(db_.get(), request_.path));
  }

  std::string create_sql(const TableView& view) const {
    std::vector<std::string> lines;
    for (const ColumnView& column : view.columns) {
      std::string line = fmt::format("\"{}\" {}", column.name, name_of(column.sql_type));
      if (column.type == CellType::RowNumber) line += " PRIMARY KEY";
      // A part of a trace may leave out rows that others refer to.
      const auto table = referenced_table(view.name, column.name);
      if (!table.empty() && !selection_.chooses_rows())
        line += fmt::format(" REFERENCES \"{}\"(id)", table);
      lines.push_back(std::move(line));
    }
    if (selection_.timeline != nullptr && std::ranges::count(view.columns, "ts", &ColumnView::name))
      lines.push_back(fmt::format("{} INTEGER", kUncertaintyColumn));
    return fmt::format("CREATE TABLE \"{}\" ({})", view.name, fmt::join(lines, ", "));
  }

  Result<> copy(const std::string& sql, const std::string& table,
                InsertSink::Table is_made = InsertSink::Table::IsThere) {
    InsertSink rows(db_.get(), table, is_made, progress_);
    TB_TRY(source_.query(sql, rows));
    if (!rows.ok()) return tl::unexpected(sqlite_error(db_.get(), request_.path));
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    report_.rows += rows.rows();
    return {};
  }

  // A public table is a view on the raw table.
  static std::string view_sql(const RelationInfo& relation) {
    const RelationDeclaration* declared = find_relation(relation.name);
    if (declared == nullptr) return relation.sql;
    return fmt::format("CREATE VIEW \"{}\" AS {}", relation.name, select_of(*declared));
  }

  // Returns false if plain SQLite cannot evaluate it.
  Result<bool> add_view(const RelationInfo& relation) {
    const std::string sql = view_sql(relation);
    if (sql.empty()) return false;
    const bool is_made =
        sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    if (!is_made && has_no_memory()) return tl::unexpected(sqlite_error(db_.get(), request_.path));
    if (!is_made) return false;
    sqlite3_stmt* compiled = nullptr;
    const std::string probe = fmt::format("SELECT * FROM \"{}\"", relation.name);
    const bool works =
        sqlite3_prepare_v2(db_.get(), probe.c_str(), -1, &compiled, nullptr) == SQLITE_OK;
    const StatementPtr statement(compiled);
    if (!works && has_no_memory()) return tl::unexpected(sqlite_error(db_.get(), request_.path));
    if (!works) TB_TRY(execute(fmt::format("DROP VIEW \"{}\"", relation.name)));
    return works;
  }
  bool has_no_memory() const { return sqlite3_errcode(db_.get()) == SQLITE_NOMEM; }

  const ExportSource& source_;
  const ExportRequest& request_;
  const Selection& selection_;
  Progress& progress_;
  DatabasePtr db_;
  ExportReport report_;
};

Result<ExportReport> write_sqlite(const ExportSource& source, const ExportRequest& request,
                                  Progress& progress) {
  TB_TRY_ASSIGN(const Selection selection, resolve(request.selection, source));
  TB_TRY_ASSIGN(NewFile file, NewFile::create(request.path, source.files));
  progress.begin("exporting rows", 0, "rows");
  SqliteFile database(source, request, selection, progress);
  TB_TRY(database.open(file.written_path()));
  if (!request.query.empty()) {
    TB_TRY(database.add_query(request.query));
  } else {
    if (request.tables.empty()) TB_TRY(database.add_raw_tables(source.store().views()));
    TB_TRY_ASSIGN(const auto relations, exported_relations(source, request));
    for (const RelationInfo& relation : relations) TB_TRY(database.add_public(relation));
  }
  TB_TRY_ASSIGN(ExportReport report, database.close());
  std::error_code ignored;
  report.bytes = std::filesystem::file_size(file.written_path(), ignored);
  TB_TRY(file.finish());
  return report;
}

}  // namespace

extern const Exporter sqlite_exporter;
const Exporter sqlite_exporter = {"sqlite", "a database file with every table and view",
                                  write_sqlite};

}  // namespace tracebraid
