#include "build/plain_rows.h"

#include <bit>

namespace tracebraid {

void add_log(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store) {
  LogTable& table = store.logs;
  table.ts.append(event.ts);
  table.utid.append({utid});
  table.prio.append(event.value);
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
