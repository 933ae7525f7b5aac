#include "server/rpc/result_writer.h"

#include "server/rpc/proto_writer.h"

namespace tracebraid::rpc {
namespace {

enum Field : uint32_t {
  kColumnNames = 1,
  kError = 2,
  kBatch = 3,
  kStatementCount = 4,
  kStatementWithOutputCount = 5,
  kLastStatementSql = 6,
  kElapsedTimeMs = 7,
};

constexpr size_t kMostBatchBytes = size_t{255} << 20;  // leaves room for the frame below 256 MiB

}  // namespace

bool ResultWriter::send(bool is_last, const std::string& error) {
  if (is_gone_) return false;
  std::string& message = to_.begin();
  if (!has_sent_) {
    for (const std::string& name : head_.columns) append_bytes(message, kColumnNames, name);
    append_int(message, kStatementCount, head_.statements);
    append_int(message, kStatementWithOutputCount, head_.statements_with_output);
    append_bytes(message, kLastStatementSql, head_.last_statement);
  }
  has_sent_ = true;
  const size_t begin = begin_message(message, kBatch);
  batch_.append_to(message, to_.bytes_before(), is_last);
  end_message(message, begin);
  batch_.clear();
  if (!error.empty()) append_bytes(message, kError, error);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin_;
  append_double(message, kElapsedTimeMs, elapsed.count());
  is_gone_ = !to_.end();
  return !is_gone_;
}

bool ResultWriter::add(const RecordBatch& rows) {
  const size_t width = rows.columns.size();
  for (size_t row = 0; row < rows.rows;) {
    if (batch_.is_full(width) && !send(false, {})) return false;
    row += batch_.add(rows, row);
    if (batch_.most_bytes() >= kMostBatchBytes) {
      is_too_large_ = true;
      batch_.clear();
      return false;
    }
  }
  return true;
}

void ResultWriter::finish(const std::string& error) {
  send(true, is_too_large_ ? "A row of the result is larger than 256 MiB" : error);
}

}  // namespace tracebraid::rpc
