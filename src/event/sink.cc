#include "event/sink.h"

#include <algorithm>
#include <limits>

namespace tracebraid {
namespace {

constexpr size_t kMaxLogText = 4096;

template <class Map, class Name>
uint32_t index_of(Map& map, std::vector<Name>& list, const Name& name) {
  const auto [it, added] = map.try_emplace(name, static_cast<uint32_t>(list.size()));
  if (added) list.push_back(name);
  return it->second;
}

}  // namespace

uint32_t EventSink::machine(uint64_t raw_id) {
  auto& machines = batch_.machines;
  const auto at = std::find(machines.begin(), machines.end(), raw_id);
  if (at != machines.end()) return static_cast<uint32_t>(at - machines.begin());
  machines.push_back(raw_id);
  return static_cast<uint32_t>(machines.size() - 1);
}

uint32_t EventSink::clock(const ClockName& name) {
  if (batch_.clocks.size() >= kMaxClocks) {
    const auto at = clocks_.find(name);
    return at != clocks_.end() ? at->second : kMaxClocks - 1;
  }
  return index_of(clocks_, batch_.clocks, name);
}

uint32_t EventSink::process(const ProcessName& name) {
  return index_of(processes_, batch_.processes, name);
}

uint32_t EventSink::thread(const ThreadName& name) {
  return index_of(threads_, batch_.threads, name);
}

uint32_t EventSink::track(const TrackName& name) { return index_of(tracks_, batch_.tracks, name); }

uint32_t EventSink::arg_key(ArgKey key) { return index_of(arg_keys_, batch_.args.keys, key); }

uint32_t EventSink::mapping(const StackMapping& mapping) {
  return index_of(mappings_, batch_.stacks.mappings, mapping);
}

uint32_t EventSink::frame(const StackFrame& frame) {
  return index_of(frames_, batch_.stacks.frames, frame);
}

uint32_t EventSink::session(const SampleSession& session) {
  return index_of(sessions_, batch_.stacks.sessions, session);
}

uint32_t EventSink::async_context(const AsyncContext& context) {
  return index_of(async_contexts_, batch_.stacks.async_contexts, context);
}

uint32_t EventSink::close_args() {
  auto& rows = batch_.args.rows;
  if (rows.size() == args_first_) return kNone;
  rows.back().last = true;
  return static_cast<uint32_t>(args_first_);
}

void EventSink::snapshot(Snapshot snapshot, std::initializer_list<SnapshotReading> readings) {
  snapshot.first = static_cast<uint32_t>(batch_.readings.size());
  snapshot.count = static_cast<uint32_t>(readings.size());
  batch_.readings.insert(batch_.readings.end(), readings);
  batch_.snapshots.push_back(snapshot);
}

void EventSink::count(StatId stat, uint64_t byte_offset, std::string_view text, uint32_t machine) {
  tally(stat, 1, machine);
  if (++logged_[stat] > kMaxLogRows) return;
  batch_.log.push_back(
      {stat, machine, byte_offset, kNone, std::string(text.substr(0, kMaxLogText))});
}

void EventSink::tally(StatId stat, int64_t amount, uint32_t machine, int32_t index) {
  const auto [at, is_new] = stats_.try_emplace({stat, machine, index}, batch_.stats.size());
  if (is_new) {
    batch_.stats.push_back({stat, machine, index, amount});
    return;
  }
  int64_t& value = batch_.stats[at->second].value;
  if (__builtin_add_overflow(value, amount, &value))
    value = amount < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

void EventSink::find_stream(uint32_t rank) {
  const auto at = std::find_if(batch_.streams.begin(), batch_.streams.end(),
                               [&](const Stream& stream) { return stream.rank == rank; });
  // Adding a stream may move the others, so it is looked up whenever the rank changes.
  if (at != batch_.streams.end()) {
    stream_ = &at->events;
  } else {
    batch_.streams.push_back({rank, {}});
    stream_ = &batch_.streams.back().events;
  }
  stream_rank_ = rank;
}

}  // namespace tracebraid
