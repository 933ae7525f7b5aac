#include "format/proto/ftrace/compact_sched.h"

#include <algorithm>
#include <initializer_list>
#include <span>

#include "format/common/proto_wire.h"
#include "format/proto/ftrace/stats.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {

bool CompactSched::read(std::string_view message, EventSink& sink) {
  using Field = field::FtraceEventBundle_CompactSched;
  comms.clear();
  for (std::vector<uint64_t>* column :
       {&switch_times, &prev_states, &next_pids, &next_prios, &next_comms, &waking_times,
        &waking_pids, &target_cpus, &waking_prios, &waking_comms, &waking_flags})
    column->clear();
  bool good = true;
  Message fields(message);
  while (fields.next()) {
    std::vector<uint64_t>* column = nullptr;
    switch (fields.number()) {
      case Field::kInternTable:
        comms.push_back(sink.string(fields.bytes()));
        break;
      case Field::kSwitchTimestamp:
        column = &switch_times;
        break;
      case Field::kSwitchPrevState:
        column = &prev_states;
        break;
      case Field::kSwitchNextPid:
        column = &next_pids;
        break;
      case Field::kSwitchNextPrio:
        column = &next_prios;
        break;
      case Field::kSwitchNextCommIndex:
        column = &next_comms;
        break;
      case Field::kWakingTimestamp:
        column = &waking_times;
        break;
      case Field::kWakingPid:
        column = &waking_pids;
        break;
      case Field::kWakingTargetCpu:
        column = &target_cpus;
        break;
      case Field::kWakingPrio:
        column = &waking_prios;
        break;
      case Field::kWakingCommIndex:
        column = &waking_comms;
        break;
      case Field::kWakingCommonFlags:
        column = &waking_flags;
        break;
      default:
        break;
    }
    if (column != nullptr)
      good &= for_each_varint(fields, [&](uint64_t value) { column->push_back(value); });
  }
  return good && !fields.bad();
}

namespace {

// The number of complete rows whose commands are known, and whether these are all rows.
struct CompactRows {
  size_t count = 0;
  bool is_all = false;
};

CompactRows whole_rows(std::initializer_list<size_t> sizes, std::span<const uint64_t> comms,
                       size_t known_comms) {
  const auto [rows, longest] = std::minmax(sizes);
  for (size_t i = 0; i < rows; ++i)
    if (comms[i] >= known_comms) return {i, false};
  return {rows, rows == longest};
}

// Converts differences to times. Returns false if the times do not increase.
bool sum_up(std::span<uint64_t> times) {
  bool rises = true;
  uint64_t sum = 0;
  for (uint64_t& time : times) {
    rises &= static_cast<int64_t>(sum + time) >= static_cast<int64_t>(sum);
    time = sum += time;
  }
  return rises;
}

}  // namespace

uint64_t count_compact_sched(std::string_view message) {
  using Field = field::FtraceEventBundle_CompactSched;
  uint64_t count = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() != Field::kSwitchTimestamp && fields.number() != Field::kWakingTimestamp)
      continue;
    if (fields.wire() != Wire::Bytes) {
      ++count;
      continue;
    }
    // The last byte of a varint is the only one without the highest bit.
    for (const char byte : fields.bytes()) count += static_cast<uint8_t>(byte) >> 7 ^ 1;
  }
  return count;
}

void CompactSchedReader::read_columns(const At& at, std::string_view message, EventSink& sink) {
  const auto flaw = [&] {
    sink.count(stats::compact_sched_has_parse_errors, at.at, {}, at.machine);
  };
  if (!columns_.read(message, sink)) flaw();
  const CompactRows switches = whole_rows(
      {columns_.switch_times.size(), columns_.prev_states.size(), columns_.next_pids.size(),
       columns_.next_prios.size(), columns_.next_comms.size()},
      columns_.next_comms, columns_.comms.size());
  if (!switches.is_all) flaw();
  if (columns_.waking_flags.empty()) columns_.waking_flags.resize(columns_.waking_times.size());
  const CompactRows wakings = whole_rows(
      {columns_.waking_times.size(), columns_.waking_pids.size(), columns_.target_cpus.size(),
       columns_.waking_prios.size(), columns_.waking_comms.size(), columns_.waking_flags.size()},
      columns_.waking_comms, columns_.comms.size());
  if (!wakings.is_all) flaw();
  const bool switches_rise = sum_up(columns_.switch_times);
  rises_ = sum_up(columns_.waking_times) && switches_rise;
  switches_ = switches.count;
  wakings_ = wakings.count;
}

template <class T>
uint32_t SchedNotes::Numbers<T>::of(const T& value, uint64_t hash, std::vector<T>& list) {
  uint32_t& near = near_[hash % kNear];
  if (near != kNone && list[near] == value) return near;
  const auto [known, is_new] = all_.try_emplace(value, static_cast<uint32_t>(list.size()));
  if (is_new) list.push_back(value);
  return near = known->second;
}

uint32_t SchedNotes::task(const SchedTask& task) {
  return tasks_.of(task, static_cast<uint32_t>(task.tid) ^ task.comm.row << 7, batch_.sched_tasks);
}

uint32_t SchedNotes::fact(const SchedFact& fact) {
  const uint64_t hash = static_cast<uint64_t>(fact.value) << 3 ^ fact.cpu << 6 ^ fact.target_cpu ^
                        static_cast<uint64_t>(fact.is_waking) << 2;
  return facts_.of(fact, hash, batch_.sched_facts);
}

void CompactSchedReader::read_records(const At& at, std::string_view message, uint32_t clock,
                                      SchedNotes& notes, std::vector<SchedRecord>& records,
                                      EventSink& sink) {
  read_columns(at, message, sink);
  for_each(
      [&](size_t i) {
        records.push_back({time_in(columns_.switch_times, i), notes.task(next_task(i)),
                           notes.fact(switch_fact(i, at.cpu, clock))});
      },
      [&](size_t i) {
        records.push_back({time_in(columns_.waking_times, i), notes.task(woken_task(i)),
                           notes.fact(waking_fact(i, at.cpu, clock))});
      });
}

SchedTask CompactSchedReader::next_task(size_t row) const {
  return {.comm = columns_.comms[columns_.next_comms[row]],
          .tid = static_cast<int32_t>(columns_.next_pids[row]),
          .prio = static_cast<int32_t>(columns_.next_prios[row])};
}

SchedTask CompactSchedReader::woken_task(size_t row) const {
  return {.comm = columns_.comms[columns_.waking_comms[row]],
          .tid = static_cast<int32_t>(columns_.waking_pids[row]),
          .prio = static_cast<int32_t>(columns_.waking_prios[row])};
}

SchedFact CompactSchedReader::switch_fact(size_t row, uint32_t cpu, uint32_t clock) const {
  return {.value = static_cast<int64_t>(columns_.prev_states[row]),
          .cpu = cpu,
          .target_cpu = 0,
          .clock = clock};
}

SchedFact CompactSchedReader::waking_fact(size_t row, uint32_t cpu, uint32_t clock) const {
  return {.value = static_cast<uint32_t>(columns_.waking_flags[row]),
          .cpu = cpu,
          .target_cpu = static_cast<uint32_t>(columns_.target_cpus[row]),
          .clock = clock,
          .is_waking = true};
}

}  // namespace tracebraid::proto
