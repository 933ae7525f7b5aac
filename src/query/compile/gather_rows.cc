#include "query/compile/gather_rows.h"

#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "base/pages.h"
#include "query/compile/column_scan.h"
#include "query/compile/computed_rows.h"
#include "query/compile/parameters.h"
#include "query/compile/statement.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

// The running statement may be inside a capture, which must not take scans of this one.
class WithoutCapture {
 public:
  explicit WithoutCapture(TableModule& module)
      : module_(module),
        capture_(std::exchange(module.capture, nullptr)),
        is_only_table_(std::exchange(module.is_only_table, false)) {}
  ~WithoutCapture() {
    module_.capture = capture_;
    module_.is_only_table = is_only_table_;
  }
  WithoutCapture(const WithoutCapture&) = delete;
  WithoutCapture& operator=(const WithoutCapture&) = delete;

 private:
  TableModule& module_;
  ScanCapture* capture_;
  bool is_only_table_;
};

Error failure(const ConnectionState& connection) {
  if (connection.stop.failure()) return *connection.stop.failure();
  if (sqlite3_errcode(connection.db.get()) == SQLITE_INTERRUPT) return connection.stop.error();
  return sqlite_error(connection.db.get());
}

// Makes room for `needed` rows. Makes room for all that can follow, `most`, once that is at most
// eight times as many, because a list that grows step by step is copied again and again.
void reserve_rows(std::vector<uint32_t>& list, size_t needed, size_t most) {
  constexpr size_t kMostTimes = 8;
  if (needed <= list.capacity() || needed < most / kMostTimes || needed > most) return;
  std::vector<uint32_t> larger;
  reserve_in_huge_pages(larger, most);
  larger.assign(list.begin(), list.end());
  list = std::move(larger);
}

Result<GatheredRows> stored_rows(ConnectionState& connection, ColumnScan& scan,
                                 std::shared_ptr<const void> owner) {
  auto rows = std::make_shared<StoredRows>(&connection.operator_memory);
  rows->owner = std::move(owner);
  rows->strings = &scan.captured.table->strings();
  const auto most = std::min<size_t>(scan.captured.table->rows(), scan.limit);
  size_t count = 0;
  for (; !scan.scan.at_end() && scan.limit > count;) {
    const Scan::Rows block = scan.scan.rows();
    const size_t taken = std::min(block.count, static_cast<size_t>(scan.limit - count));
    const bool is_consecutive = block.list == nullptr && rows->list.empty() &&
                                (count == 0 || rows->first + count == block.first);
    if (is_consecutive) {
      if (count == 0) rows->first = block.first;
    } else {
      const bool is_first = rows->list.empty() && count != 0;
      TB_TRY(rows->memory.take((taken + (is_first ? count : 0)) * sizeof(uint32_t)));
      reserve_rows(rows->list, count + taken, most);
      if (is_first) {
        rows->list.resize(count);
        std::iota(rows->list.begin(), rows->list.end(), static_cast<uint32_t>(rows->first));
      }
      for (size_t i = 0; i < taken; ++i)
        rows->list.push_back(block.list == nullptr ? block.first + static_cast<uint32_t>(i)
                                                   : block.list[i]);
    }
    count += taken;
    if (!scan.scan.skip_rows()) return tl::unexpected(connection.stop.error());
  }
  GatheredRows gathered;
  gathered.rows = count;
  for (const ColumnView* column : scan.columns) gathered.columns.emplace_back(*column, rows);
  return gathered;
}

Result<GatheredRows> stepped_rows(ConnectionState& connection, sqlite3_stmt* statement) {
  constexpr size_t kRowsPerCheck = 4096;
  GatheredRows gathered;
  gathered.columns.resize(static_cast<size_t>(sqlite3_column_count(statement)));
  OperatorMemory memory(&connection.operator_memory);
  size_t held = 0;
  int rc = SQLITE_ROW;
  while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
    for (size_t i = 0; i < gathered.columns.size(); ++i) {
      sqlite3_value* const value = sqlite3_column_value(statement, static_cast<int>(i));
      if (sqlite3_value_type(value) == SQLITE_INTEGER)
        gathered.columns[i].values().add_integer(sqlite3_value_int64(value));
      else
        gathered.columns[i].values().add(cell_of(value));
    }
    if (++gathered.rows % kRowsPerCheck != 0) continue;
    if (connection.stop.stopped()) return tl::unexpected(connection.stop.error());
    const size_t now = gathered.memory();
    TB_TRY(memory.take(now - std::min(held, now)));
    held = std::max(held, now);
  }
  if (rc != SQLITE_DONE) return tl::unexpected(failure(connection));
  return gathered;
}

}  // namespace

Result<GatheredRows> gather_rows(ConnectionState& connection, std::string_view sql,
                                 std::span<const Cell> values) {
  const WithoutCapture without_capture(connection.module);
  const StatementPtr statement = prepare(connection.db.get(), sql);
  sqlite3_stmt* compiled = statement.get();
  if (compiled == nullptr) return tl::unexpected(failure(connection));
  TB_TRY_ASSIGN(const std::unique_ptr<ComputedRows> computed,
                computed_rows(connection, compiled, sql, values));
  if (computed != nullptr) {
    compiled = computed->statement.get();
    sql = computed->sql;
  }
  bind_all(compiled, values);
  TB_TRY_ASSIGN(const std::unique_ptr<ColumnScan> scan,
                column_scan(connection, compiled, sql, values));
  const bool is_scan = scan != nullptr && scan->offset == 0;
  TB_TRY_ASSIGN(
      GatheredRows gathered,
      is_scan ? stored_rows(connection, *scan, computed == nullptr ? nullptr : computed->tables())
              : stepped_rows(connection, compiled));
  gathered.names = column_names(statement.get());
  return gathered;
}

}  // namespace tracebraid
