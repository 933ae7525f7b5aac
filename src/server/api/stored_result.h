// StoredResult: the rows of a query that its client keeps on the server, to read any page of them.
//
// Batches stay in memory up to a limit; further ones are written to the spool and mapped.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "engine/rows.h"
#include "server/api/query_run.h"
#include "server/work/spool.h"

namespace tracebraid::api {

// A batch, and the number of its first row.
struct StoredBatch {
  uint64_t first = 0;
  RecordBatch batch;
};

// An immutable view of the rows that a result had at one moment. Batches are in order of rows.
struct StoredRows {
  // Has no fields before the columns are known.
  std::shared_ptr<const Schema> schema = std::make_shared<const Schema>();
  std::vector<std::shared_ptr<const StoredBatch>> batches;
  uint64_t rows = 0;

  struct Place {
    const RecordBatch* batch;
    size_t row;
  };
  // Requires: row < rows.
  Place find(uint64_t row) const;
};

// Written by the thread of its query, read by any thread.
class StoredResult {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{2} << 30;
  static constexpr uint64_t kMostMemory = uint64_t{64} << 20;

  StoredResult(uint64_t with_id, std::shared_ptr<QueryRun> of, Spool& in)
      : id(with_id), query(std::move(of)), spool_(in) {}
  ~StoredResult() { spool_.release(spooled_); }

  const uint64_t id;
  const std::shared_ptr<QueryRun> query;

  // Begins a result set, and drops an earlier one.
  void begin(const Schema& schema);
  // Error Limit beyond kMostBytes or the spool's limit, Io if the spool cannot be written.
  Result<> add(const RecordBatch& batch);

  StoredRows rows() const;
  // Returns the order of a view of `rows`, as order_rows() of view.h, which makes it. Keeps the
  // last one, because clients read page after page.
  Result<std::shared_ptr<const std::vector<uint32_t>>> order(const StoredRows& rows,
                                                             const std::string& sort,
                                                             const std::string& filter,
                                                             const Stop& stop);
  uint64_t bytes() const { return bytes_; }
  void touch() { used_ = Clock::now().time_since_epoch().count(); }
  Clock::time_point used() const { return Clock::time_point(Clock::duration(used_)); }
  std::string json() const;

 private:
  Result<RecordBatch> spooled(const RecordBatch& batch);

  Spool& spool_;
  std::atomic<uint64_t> bytes_{0};
  uint64_t spooled_ = 0;
  std::atomic<Clock::rep> used_{Clock::now().time_since_epoch().count()};
  Descriptor file_;
  mutable std::mutex mutex_;  // guards the following members
  StoredRows rows_;
  std::string order_key_;
  std::shared_ptr<const std::vector<uint32_t>> order_;
};

// Returns [{"name","type"}...]; types are int, double, text, blob, null and mixed.
std::string columns_json(const Schema& schema);

}  // namespace tracebraid::api
