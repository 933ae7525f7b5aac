#include "query/statements/query_log.h"

#include <memory>

namespace tracebraid {
namespace {

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class LogRows final : public TableFunctionRows {
 public:
  explicit LogRows(const QueryLog& log) : log_(log) {}

  Result<> call(std::span<const Cell>) override {
    entries_ = log_.entries();  // the log changes while rows are read
    is_done_ = false;
    return {};
  }
  Result<size_t> next_chunk() override {
    const size_t rows = is_done_ ? 0 : entries_.size();
    is_done_ = true;
    return rows;
  }
  Cell cell(size_t row, size_t column) const override {
    const QueryLog::Entry& entry = entries_[row];
    switch (column) {
      case 0:
        return Cell::of(std::string_view(entry.query));
      case 1:
        return Cell::of(entry.started);
      case 2:
        return Cell::of(entry.first_next);
      default:
        return Cell::of(entry.ended);
    }
  }

 private:
  const QueryLog& log_;
  std::deque<QueryLog::Entry> entries_;
  bool is_done_ = true;
};

}  // namespace

void QueryLog::begin(std::string_view query) {
  if (entries_.size() == kMostEntries) entries_.pop_front();
  entries_.push_back({.query = std::string(query.substr(0, kMostTextBytes)), .started = now()});
}

void QueryLog::note_next() {
  if (!entries_.empty() && entries_.back().first_next == 0) entries_.back().first_next = now();
}

void QueryLog::end() {
  if (!entries_.empty()) entries_.back().ended = now();
}

TableFunction sqlstats(const QueryLog& log) {
  return {.name = "sqlstats",
          .about = "The last 100 queries of this connection, with the running one.",
          .parameters = {},
          .columns = {{"query", SqlType::Text, "The text, up to 64 KiB."},
                      {"started", SqlType::Integer, "Time of the start, ns of a steady clock."},
                      {"first_next", SqlType::Integer,
                       "Time of the first request of rows, ns; 0 for none."},
                      {"ended", SqlType::Integer, "Time of the end, ns; 0 while it runs."}},
          .open = [&log] { return std::make_unique<LogRows>(log); }};
}

}  // namespace tracebraid
