#include "format/proto/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

// Limits the tick: no real clock ticks every 292 years.
int64_t tick_of(uint64_t unit_multiplier_ns) {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (unit_multiplier_ns == 0) return 1;
  return static_cast<int64_t>(std::min(unit_multiplier_ns, kMost));
}

// Returns whether the current snapshot has the clock already.
bool is_in_last_snapshot(const EventBatch& batch, uint32_t domain) {
  const Snapshot* last = batch.snapshots.empty() ? nullptr : &batch.snapshots.back();
  const size_t first = last == nullptr ? 0 : size_t{last->first} + last->count;
  return std::any_of(
      batch.readings.begin() + static_cast<ptrdiff_t>(first), batch.readings.end(),
      [&](const SnapshotReading& reading) { return batch.clocks[reading.clock].domain == domain; });
}

// Returns the name for a machine in a list by machine; `make` creates it on first use.
template <class Make>
uint32_t& of_machine(std::vector<uint32_t>& list, uint32_t machine, Make make) {
  if (machine >= list.size()) list.resize(machine + 1, kNone);
  if (list[machine] == kNone) list[machine] = make();
  return list[machine];
}

}  // namespace

Clocks::State& Clocks::state(Key key) {
  // Ids with a special meaning (event/names.h) are mapped to unused numbers.
  if (key.domain == kLatestTime || key.domain == kLocalTime || key.domain == kLocalTimeOfYear)
    key.domain ^= 1U << 31;
  uint32_t& recent = recent_[(key.sequence + key.domain) % kRecent];
  if (recent < states_.size() && states_[recent].key == key) return states_[recent];
  const auto [at, added] = ids_.try_emplace(key, static_cast<uint32_t>(states_.size()));
  if (added) states_.push_back({.key = key});
  recent = at->second;
  return states_[recent];
}

// Keeps names here, not in the sink, because their ticks are known only when a snapshot has the
// clock.
uint32_t Clocks::push_name(const ClockName& name) {
  std::vector<ClockName>& names = sink_.batch().clocks;
  if (names.size() >= kMaxClocks) return kMaxClocks - 1;
  names.push_back(name);
  return static_cast<uint32_t>(names.size() - 1);
}

uint32_t Clocks::name(State& state, bool by_default, OnFailure on_failure) {
  uint32_t& index = state.names[size_t{by_default} * 3 + static_cast<size_t>(on_failure)];
  if (index == kNone)
    index = push_name({.domain = state.key.domain,
                       .sequence = state.key.sequence,
                       .machine = state.key.machine,
                       .tick_ns = state.tick_ns,
                       .by_default = by_default,
                       .on_failure = on_failure});
  return index;
}

uint64_t& Clocks::conversions(uint32_t machine) {
  if (machine >= conversions_.size()) conversions_.resize(machine + 1, 0);
  return conversions_[machine];
}

int64_t Clocks::advance(State& state, int64_t ticks) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(state.shown, ticks, &sum)) state.shown = sum;
  return state.shown;
}

EventTime Clocks::time(uint32_t machine, const ClockChoice& choice, int64_t ticks) {
  State& clock = state({machine, choice.domain, choice.sequence});
  ++conversions(machine);
  if (clock.incremental) ticks = advance(clock, ticks);
  return {ticks, name(clock, choice.by_default, choice.on_failure)};
}

std::optional<uint32_t> Clocks::index(uint32_t machine, const ClockChoice& choice, uint64_t count) {
  State& clock = state({machine, choice.domain, choice.sequence});
  if (clock.incremental) return std::nullopt;
  conversions(machine) += count;
  return name(clock, choice.by_default, choice.on_failure);
}

int64_t Clocks::tick_ns(uint32_t machine, uint32_t domain, uint32_t sequence) const {
  const auto at = ids_.find({machine, domain, sequence});
  return at == ids_.end() ? 1 : states_[at->second].tick_ns;
}

EventTime Clocks::raw(uint32_t machine, int64_t ns) {
  const auto make = [&] {
    return push_name({.domain = kTraceTime, .machine = machine, .by_default = true});
  };
  return {ns, of_machine(raw_, machine, make)};
}

EventTime Clocks::latest(uint32_t machine) {
  const auto make = [&] { return push_name({.domain = kLatestTime, .machine = machine}); };
  return {0, of_machine(latest_, machine, make)};
}

Result<> Clocks::add_reading(uint32_t machine, uint32_t sequence, const ReadClock& read) {
  const bool of_sequence = is_sequence_clock(read.domain);
  if (of_sequence && sequence == 0)
    return fail(ErrorCode::BadInput,
                fmt::format("ClockSnapshot packet is specifying a sequence-scoped clock id ({}) "
                            "but the TracePacket sequence_id is zero",
                            read.domain));
  State& clock = state({machine, read.domain, of_sequence ? sequence : 0});
  const bool allowed = !read.incremental || of_sequence;
  const bool is_first = !clock.was_read && allowed;
  if (is_first) {
    clock.was_read = true;
    clock.incremental = read.incremental;
    clock.tick_ns = read.tick_ns;
    for (const uint32_t index : clock.names)
      if (index != kNone) sink_.batch().clocks[index].tick_ns = read.tick_ns;
  }
  uint32_t index = 0;
  if (clock.tick_ns == read.tick_ns && clock.incremental == read.incremental) {
    // Events before a snapshot continue from the snapshot before, events after it from this one
    // (spec clocks 3.3). If its reading is not greater than the last one, the two cannot be
    // distinguished by reading: from here on the clock is another one, of a writer with an unused
    // number.
    if (read.incremental && !is_first && read.ticks <= clock.shown &&
        !is_in_last_snapshot(sink_.batch(), read.domain)) {
      clock.key.sequence = ~static_cast<uint32_t>(sink_.batch().snapshots.size());
      clock.names.fill(kNone);
    }
    clock.shown = read.ticks;
    index = name(clock, false, OnFailure::Drop);
  } else if (clock.tick_ns == read.tick_ns) {
    index = name(clock, false, OnFailure::Drop);
  } else {  // contradicts an earlier statement: evaluated with judges other evidence
    index = push_name({.domain = clock.key.domain,
                       .sequence = clock.key.sequence,
                       .machine = machine,
                       .tick_ns = read.tick_ns});
  }
  sink_.batch().readings.push_back({index, read.ticks, read.incremental});
  return {};
}

// Appends the readings of a ClockSnapshot message. Returns its primary clock.
Result<uint32_t> Clocks::read_clocks(std::string_view message, uint32_t machine, uint32_t sequence,
                                     Snapshot& snapshot) {
  uint32_t primary = 0;
  snapshot.machine = machine;
  snapshot.first = static_cast<uint32_t>(sink_.batch().readings.size());
  snapshot.events_before = conversions(machine);
  bool boottime = false, file_clock = false;
  for (Message fields(message); fields.next();) {
    if (fields.number() == field::ClockSnapshot::kPrimaryTraceClock) primary = fields.u32();
    if (fields.number() != field::ClockSnapshot::kClocks) continue;
    ReadClock read;
    for (Message clock = fields.message(); clock.next();) {
      switch (clock.number()) {
        case field::ClockSnapshot_Clock::kClockId:
          read.domain = clock.u32();
          break;
        case field::ClockSnapshot_Clock::kTimestamp:
          read.ticks = clock.i64();
          break;
        case field::ClockSnapshot_Clock::kIsIncremental:
          read.incremental = clock.flag();
          break;
        case field::ClockSnapshot_Clock::kUnitMultiplierNs:
          read.tick_ns = tick_of(clock.u64());
          break;
        default:
          break;
      }
    }
    boottime |= read.domain == field::BuiltinClock::kBoottime;
    file_clock |= read.domain == field::BuiltinClock::kTraceFile;
    if (Result<> added = add_reading(machine, sequence, read); !added) {
      sink_.batch().readings.resize(snapshot.first);
      return tl::unexpected(std::move(added).error());
    }
  }
  snapshot.primary = primary;
  snapshot.may_claim = primary != 0 || (boottime && !file_clock);
  if (primary != 0 || !snapshot.may_claim) return primary;
  return uint32_t{field::BuiltinClock::kBoottime};
}

void Clocks::finish(Snapshot& snapshot) {
  snapshot.count = static_cast<uint32_t>(sink_.batch().readings.size()) - snapshot.first;
  sink_.batch().snapshots.push_back(snapshot);
}

Result<> Clocks::snapshot(uint32_t machine, uint32_t sequence, std::string_view message,
                          uint64_t at, DefaultClock& default_clock) {
  for (Message fields(message); fields.next();)
    if (fields.number() == own::kField) {
      own_snapshot(machine, fields.bytes(), at, default_clock);
      return {};
    }
  Snapshot snapshot{.byte_offset = at};
  TB_TRY_ASSIGN(const uint32_t claimed, read_clocks(message, machine, sequence, snapshot));
  if (claimed != 0) default_clock = {claimed, is_sequence_clock(claimed) ? sequence : 0};
  finish(snapshot);
  return {};
}

Result<> Clocks::remote_sync(uint32_t machine, uint32_t sequence, std::string_view message,
                             uint64_t at) {
  constexpr uint32_t kHost = 0;  // the recording machine
  const uint32_t group = next_ping_group_++;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::RemoteClockSync::kSyncedClocks) continue;
    std::string_view client, host;
    for (Message synced = fields.message(); synced.next();) {
      if (synced.number() == field::RemoteClockSync_SyncedClocks::kClientClocks)
        client = synced.bytes();
      if (synced.number() == field::RemoteClockSync_SyncedClocks::kHostClocks)
        host = synced.bytes();
    }
    // One snapshot each, so that client and host of an element alternate.
    Snapshot of_host{.kind = SnapshotKind::PingHost, .group = group, .byte_offset = at};
    TB_TRY(read_clocks(host, kHost, sequence, of_host));
    of_host.may_claim = false;
    finish(of_host);
    Snapshot of_client{.kind = SnapshotKind::PingClient, .group = group, .byte_offset = at};
    TB_TRY(read_clocks(client, machine, sequence, of_client));
    of_client.may_claim = false;
    finish(of_client);
  }
  return {};
}

void Clocks::pair(uint32_t machine, DefaultClock a, int64_t a_ticks, DefaultClock b,
                  int64_t b_ticks, uint64_t at) {
  Snapshot snapshot{.machine = machine,
                    .first = static_cast<uint32_t>(sink_.batch().readings.size()),
                    .events_before = conversions(machine),
                    .byte_offset = at};
  // These readings are not from a ClockSnapshot, so they change no properties of clocks.
  const auto add = [&](DefaultClock clock, int64_t ticks) {
    State& known = state({machine, clock.domain, clock.sequence});
    known.was_read = true;
    sink_.batch().readings.push_back({name(known, false, OnFailure::Drop), ticks, false});
  };
  add(a, a_ticks);
  add(b, b_ticks);
  finish(snapshot);
}

}  // namespace tracebraid::proto
