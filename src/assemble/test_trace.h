// TestTrace: builds a trace and returns its tables as text. For tests only.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assemble/assemble.h"
#include "event/event_kind.h"
#include "event/sink.h"
#include "event/tie.h"

namespace tracebraid {

class TestTrace {
 public:
  explicit TestTrace(TieRule rule = TieRule::FileOrder) {
    batch.tie_rule = rule;
    sink.clock({.domain = kPrivateClock});
  }

  EventBatch batch;
  EventSink sink{batch};
  Store store;
  AssembleReport report;
  unsigned threads = 2;  // number of building threads

  // Names.
  uint32_t thread(int64_t pid, int64_t tid, uint64_t life = 0) {
    return sink.thread({.tid = tid, .pid = pid, .life = life});
  }
  uint32_t process(int64_t pid, uint64_t life = 0) {
    return sink.process({.pid = pid, .life = life});
  }
  uint32_t thread_track(int64_t pid, int64_t tid) {
    const bool json = batch.tie_rule == TieRule::TraceEventFormat;
    return sink.track({.scope = TrackScope::Thread,
                       .overlap = json ? Overlap::Spill : Overlap::Drop,
                       .owner = thread(pid, tid),
                       .type = sink.string("thread_execution")});
  }
  uint32_t async_track(std::string_view name, uint64_t cookie) {
    return sink.track({.lanes = Lanes::ByCookie,
                       .type = sink.string("legacy_async_global_slice"),
                       .name = sink.string(name),
                       .cookie = cookie});
  }
  // A track named by its first event.
  uint32_t unnamed_async_track(uint64_t cookie) {
    return sink.track({.lanes = Lanes::ByCookie,
                       .named_by_first_event = true,
                       .type = sink.string("legacy_async_global_slice"),
                       .cookie = cookie});
  }
  uint32_t args(std::initializer_list<std::pair<std::string_view, int64_t>> values) {
    sink.open_args();
    for (const auto& [key, value] : values) {
      std::string flat;
      bool in_index = false;
      for (const char c : key) {
        in_index = in_index || c == '[';
        if (!in_index) flat += c;
        in_index = in_index && c != ']';
      }
      sink.arg(sink.arg_key({sink.string(flat), sink.string(key)}), ArgType::Int, value);
    }
    return sink.close_args();
  }

  // Events. The name "" is none.
  Event event(EventKind kind, int64_t ts, uint32_t track, std::string_view name = {},
              int64_t value = 0) {
    Event made{};
    made.kind = static_cast<uint32_t>(kind);
    made.ts = ts;
    made.value = value;
    made.track = track;
    made.name = name.empty() ? StringId{} : sink.string(name);
    made.category = {};
    made.args = kNone;
    made.extra = kNone;
    return made;
  }
  void add(EventKind kind, int64_t ts, uint32_t track, std::string_view name = {},
           int64_t value = 0) {
    sink.event(event(kind, ts, track, name, value));
  }
  void begin(int64_t ts, uint32_t track, std::string_view name) {
    add(EventKind::SliceBegin, ts, track, name);
  }
  void end(int64_t ts, uint32_t track, std::string_view name = {}) {
    add(EventKind::SliceEnd, ts, track, name);
  }
  void slice(int64_t ts, int64_t dur, uint32_t track, std::string_view name) {
    add(EventKind::Slice, ts, track, name, dur);
  }
  void instant(int64_t ts, uint32_t track, std::string_view name) {
    add(EventKind::Instant, ts, track, name);
  }

  // Builds the tables and consumes the batch. With `cuts`, the events are divided into batches that
  // end at these numbers of events.
  void build(std::initializer_list<size_t> cuts = {}) {
    store.strings = std::move(batch.strings);
    for (const uint64_t raw_id : batch.machines)
      store.machines.raw_id.append(static_cast<int64_t>(raw_id));
    for (size_t i = 0; i < batch.machines.size(); ++i) {
      store.machines.sysname.append({});
      store.machines.release.append({});
      store.machines.arch.append({});
    }
    const Names names{batch.processes, batch.threads, batch.tracks, batch.args,
                      batch.stacks.sessions};
    std::vector<PlacedBatch> batches(cuts.size() + 1);
    if (cuts.size() > 0) spread(cuts, batches);
    batches[0].batch = std::move(batch);
    std::vector<Run> runs;
    for (uint32_t i = 0; i < batches.size(); ++i) {
      PlacedBatch& placed = batches[i];
      placed.file = FileId{0};
      for (uint32_t m = 0; m < placed.batch.machines.size(); ++m)
        placed.machines.push_back(MachineId{m});
      for (const ClockName& clock : placed.batch.clocks)
        placed.clock_machines.push_back(clock.machine);
      for (Stream& stream : placed.batch.streams) {
        sort_stream(stream.events, placed.batch.tie_rule);
        const Event* first = stream.events.data();
        runs.push_back({first, first + stream.events.size(), i, runs.size()});
      }
    }
    Workers workers(threads);
    report = assemble_tables(names, batches, runs, workers, store);
  }

  // Returns "ts dur name depth parent-name type;" for each row, in the order of rows.
  std::string slices() const {
    std::string text;
    for (size_t i = 0; i < store.slices.rows(); ++i) {
      const SliceTable& table = store.slices;
      const uint32_t parent = table.parent_id[i].row;
      text += std::to_string(table.ts[i]) + ' ' + std::to_string(table.dur[i]) + ' ' +
              name_of(table.name[i]) + ' ' + std::to_string(table.depth[i]);
      if (parent != OptRow::kNull) text += " in " + name_of(table.name[parent]);
      text += "; ";
    }
    return text;
  }
  std::string name_of(StringId id) const { return id ? std::string(store.strings.get(id)) : "-"; }
  // Returns "key=value " for each arg of the set.
  std::string args_of(uint32_t arg_set_id) const {
    std::string text;
    const ArgSet set = store.args.set(arg_set_id);
    for (const ArgRow row : set) {
      text += name_of(store.args.keys[row.key].key) + '=';
      text += row.type == ArgType::String ? name_of({static_cast<uint32_t>(row.value)})
                                          : std::to_string(row.value);
      text += ' ';
    }
    return text;
  }
  int64_t stat(StatId stat) const {
    int64_t sum = 0;
    for (const AssembleStat& row : report.stats)
      if (row.stat == stat) sum += row.value;
    return sum;
  }

 private:
  void spread(std::initializer_list<size_t> cuts, std::vector<PlacedBatch>& batches) {
    const std::vector<Event> all = std::move(batch.streams.at(0).events);
    size_t chunk = 0;
    batch.streams.at(0).events.clear();
    for (size_t i = 0; i < all.size(); ++i) {
      while (chunk < cuts.size() && i >= cuts.begin()[chunk]) ++chunk;
      EventBatch& to = chunk == 0 ? batch : batches[chunk].batch;
      if (to.streams.empty()) to.streams.push_back({});
      to.streams[0].events.push_back(all[i]);
    }
    for (size_t i = 1; i < batches.size(); ++i) {
      batches[i].batch.tie_rule = batch.tie_rule;
      batches[i].batch.clocks = batch.clocks;
    }
  }
};

}  // namespace tracebraid
