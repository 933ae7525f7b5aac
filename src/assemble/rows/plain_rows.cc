#include "assemble/rows/plain_rows.h"

#include <bit>
#include <utility>

#include "event/log_copy.h"

namespace tracebraid {
namespace {

bool is_copy(const Event& log) { return log.value >= kLogCopy; }
int64_t priority_of(const Event& log) { return is_copy(log) ? log.value - kLogCopy : log.value; }

}  // namespace

// Matches each line of the text with one equal line of the files, and vice versa.
bool LogRows::is_repeated(const Event& event, uint32_t utid, const LogTable& table) {
  const int64_t priority = priority_of(event);
  if (event.ts != ts_) recent_.clear();
  ts_ = event.ts;
  constexpr size_t kMostRecent = 4096;  // more lines of one time are damage
  for (Recent& one : recent_) {
    const uint32_t row = one.row;
    if (one.is_copy == is_copy(event) || table.utid[row].row != utid ||
        table.msg[row] != event.name || table.tag[row] != event.category ||
        table.prio[row] != priority)
      continue;
    std::swap(one, recent_.back());
    recent_.pop_back();
    return true;
  }
  if (recent_.size() < kMostRecent)
    recent_.push_back({static_cast<uint32_t>(table.rows()), is_copy(event)});
  return false;
}

void LogRows::add(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store) {
  LogTable& table = store.logs;
  if (is_repeated(event, utid, table)) return;
  table.ts.append(event.ts);
  table.utid.append({utid});
  table.prio.append(priority_of(event));
  table.log_source.append({event.extra});
  table.tag.append(event.category);
  table.msg.append(event.name);
  table.arg_set_id.append({arg_set_id});
}

void add_chrome_raw(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store) {
  ChromeRawTable& table = store.chrome_raw;
  table.ts.append(event.ts);
  table.name.append(event.name);
  table.utid.append(utid);
  table.arg_set_id.append({arg_set_id});
}

void add_unfinished_complete(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store) {
  JsonUnfinishedCompleteTable& table = store.json_unfinished_complete;
  table.ts.append(event.ts);
  table.utid.append(utid);
  table.category.append(event.category);
  table.name.append(event.name);
  table.thread_ts.append({event.value});  // kUnset is NULL
  table.arg_set_id.append({arg_set_id});
  table.cname.append({event.extra});
}

void add_unhandled_event(const Event& event, uint32_t utid, Store& store) {
  JsonUnhandledEventTable& table = store.json_unhandled_events;
  table.ts.append(event.ts);
  table.phase.append(event.name);
  table.utid.append({utid});
  table.raw_json.append(event.category);
}

void add_metadata_event(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store) {
  JsonMetadataEventTable& table = store.json_metadata_events;
  table.name.append(event.name);
  table.ts.append({});
  table.upid.append(store.threads.upid[utid]);
  table.utid.append(utid);
  table.arg_set_id.append({arg_set_id});
}

void PastCounters::add(const Event& event, uint32_t track_row, OptRow arg_set_id, Store& store) {
  CounterTable& table = store.counters;
  const auto [last, is_first] = last_.try_emplace(track_row, table.rows());
  if (!is_first) table.value.at(last->second) = std::bit_cast<double>(event.value);
  last->second = table.rows();
  Event now = event;
  now.value = std::bit_cast<int64_t>(0.0);
  add_counter(now, track_row, arg_set_id, store);
}

void add_counter(const Event& event, uint32_t track_row, OptRow arg_set_id, Store& store) {
  CounterTable& table = store.counters;
  table.ts.append(event.ts);
  table.track_id.append(track_row);
  table.value.append(std::bit_cast<double>(event.value));
  table.arg_set_id.append(arg_set_id);
}

}  // namespace tracebraid
