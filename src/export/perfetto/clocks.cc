#include "export/perfetto/clocks.h"

#include <algorithm>
#include <limits>

#include "base/clock_domain.h"
#include "export/perfetto/args.h"
#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

constexpr uint32_t kBoottime = field::BuiltinClock::kBoottime;

void add_clock(protozero::pbf_writer& snapshot, uint32_t number, uint32_t domain, int64_t ns) {
  using Field = field::ClockSnapshot_Clock;
  protozero::pbf_writer clock(snapshot, number);
  clock.add_uint32(Field::kClockId, domain);
  clock.add_uint64(Field::kTimestamp, static_cast<uint64_t>(ns));
}

// Returns whether the clock has the same meaning in other files: clocks of a sequence or of a file
// do not.
bool is_kept(int64_t domain) {
  return domain > 0 && (domain < domain::kFirstOfSequence || domain > domain::kLastOfSequence) &&
         domain != domain::kPrivate && domain <= std::numeric_limits<uint32_t>::max();
}

// Returns the domain of trace time in the file.
uint32_t trace_clock_of(const ExportSource& source, const Selection& selection) {
  const auto& clocks = source.merged.clocks;
  if (clocks == nullptr || selection.timeline != nullptr || !clocks->graph.trace_time())
    return kBoottime;
  const ClockKey& key = clocks->graph.key(clocks->graph.trace_time());
  const bool is_of_machine = key.sequence == 0 && !key.file && key.domain < domain::kPrivate &&
                             key.machine.row == source.store().timeline_machine;
  return is_of_machine ? key.domain : kBoottime;
}

int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}
int64_t difference(int64_t a, int64_t b) {
  int64_t result = 0;
  if (!__builtin_sub_overflow(a, b, &result)) return result;
  return a < b ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// Returns the last reading at or before `at`, else the first.
template <class Projection>
const SteppedClock::Reading& last_before(const std::vector<SteppedClock::Reading>& readings,
                                         int64_t at, Projection projection) {
  const auto after = std::ranges::upper_bound(readings, at, {}, projection);
  return after == readings.begin() ? readings.front() : *(after - 1);
}

}  // namespace

void SteppedClock::add(int64_t ts, int64_t value) {
  const bool goes_back =
      !readings_.empty() && (ts < readings_.back().ts || value < readings_.back().value);
  if (ts >= 0 && value >= 0 && !goes_back) readings_.push_back({ts, value});
}

int64_t SteppedClock::at(int64_t ts) const {
  const Reading& before = last_before(readings_, ts, &Reading::ts);
  const int64_t value = sum(before.value, difference(ts, before.ts));
  if (time_of(value) == ts) return value;
  // The clock advanced by less than trace time: the step of another reading may lead to `ts`.
  for (const Reading& reading : readings_) {
    const int64_t other = sum(reading.value, difference(ts, reading.ts));
    if (time_of(other) == ts) return other;
  }
  return value;
}

int64_t SteppedClock::time_of(int64_t value) const {
  const Reading& before = last_before(readings_, value, &Reading::value);
  return sum(before.ts, difference(value, before.value));
}

Clocks::Clocks(const ExportSource& source, const Selection& selection, const Machines& machines,
               const Descriptors& descriptors, PacketFile& file)
    : store_(source.store()),
      selection_(selection),
      machines_(machines),
      file_(file),
      trace_clock_(trace_clock_of(source, selection)),
      has_logs_(store_.machines.rows()) {
  if (source.merged.clocks != nullptr)
    for (const ClockGraph::Snapshot& snapshot : source.merged.clocks->graph.snapshots()) {
      if (is_measured_.size() <= snapshot.id) is_measured_.resize(snapshot.id + 1);
      is_measured_[snapshot.id] = snapshot.origin.kind == EvidenceKind::Measured &&
                                  snapshot.origin.source == EvidenceSource::Usual;
    }
  find_realtime(descriptors);
  find_coarse();
}

template <class Use>
void Clocks::for_each_moment(uint32_t machine, Use use) const {
  const ClockSnapshotTable& rows = store_.clock_snapshots;
  // Trace time itself has no readings.
  const bool is_home = machine == store_.timeline_machine;
  std::vector<size_t> of_machine;
  for (size_t begin = 0, end = 0; begin < rows.rows(); begin = end) {
    const auto id = static_cast<size_t>(rows.snapshot_id[begin]);
    of_machine.clear();
    for (end = begin; end < rows.rows() && rows.snapshot_id[end] == rows.snapshot_id[begin]; ++end)
      if (rows.machine_id[end].row == machine && is_kept(rows.clock_id[end]) &&
          !(is_home && rows.clock_id[end] == trace_clock_))
        of_machine.push_back(end);
    if (of_machine.empty() || id >= is_measured_.size() || !is_measured_[id]) continue;
    if (const std::optional<int64_t> ts = file_.time_if_any(rows.ts[of_machine.front()]))
      use(*ts, of_machine);
  }
}

Clocks::ByDomain Clocks::clocks_of(uint32_t machine) const {
  const ClockSnapshotTable& rows = store_.clock_snapshots;
  ByDomain clocks;
  for_each_moment(machine, [&](int64_t ts, const std::vector<size_t>& of_machine) {
    for (const size_t row : of_machine)
      if (rows.clock_id[row] != kBoottime)
        clocks[static_cast<uint32_t>(rows.clock_id[row])].add(ts, rows.clock_value[row]);
  });
  return clocks;
}

int64_t Clocks::first_time() const {
  return std::max<int64_t>(file_.time_if_any(store_.trace_start).value_or(0), 0);
}

// Logs of all machines are on the wall clock of the timeline's machine, else on that of another
// machine. Without any, wall-clock time is unknown, and trace time replaces it.
void Clocks::find_realtime(const Descriptors& descriptors) {
  for (const uint32_t machine : machines_.in_order()) {
    ByDomain clocks = clocks_of(machine);
    SteppedClock& found = clocks[domain::kRealtime];
    if (!found.empty() && trace_clock_ != domain::kRealtime) realtime_ = std::move(found);
    if (!realtime_.empty()) break;
  }
  if (realtime_.empty()) realtime_.add(first_time(), first_time());
  bool is_exact = true;
  for (uint32_t row = 0; row < store_.logs.rows(); ++row) {
    const std::optional<uint32_t> machine = descriptors.machine_of_log(row);
    if (!machine) continue;
    has_logs_[*machine] = true;
    const std::optional<int64_t> ts = file_.time_if_any(store_.logs.ts[row]);
    is_exact &= !ts || realtime_.is_exact(*ts);
  }
  if (!is_exact) realtime_.keep_first();
}

void Clocks::find_coarse() {
  const HeapProfileTable& dumps = store_.heap_profiles;
  for (uint32_t dump = 0; dump < dumps.rows(); ++dump) {
    const uint32_t machine = store_.processes.machine_id[dumps.upid[dump]];
    const auto [clock, is_first] = coarse_.try_emplace(machine);
    if (is_first) clock->second = clocks_of(machine)[domain::kMonotonicCoarse];
    if (clock->second.empty()) clock->second.add(first_time(), first_time());
    const std::optional<int64_t> ts = file_.time_if_any(dumps.ts_end[dump]);
    if (ts && !clock->second.is_exact(*ts)) clock->second.keep_first();
  }
}

void Clocks::write() const {
  const uint32_t home = store_.timeline_machine;
  for (const uint32_t machine : machines_.in_order()) {
    if (machine != home && !selection_.takes_machine(machine)) continue;
    write_first(machine);
    if (machine != home) continue;
    ByDomain clocks = clocks_of(machine);
    clocks[domain::kRealtime] =
        has_logs_[machine] || clocks.contains(domain::kRealtime) ? realtime_ : SteppedClock();
    if (const auto coarse = coarse_.find(machine); coarse != coarse_.end())
      clocks[domain::kMonotonicCoarse] = coarse->second;
    for (const auto& [domain, clock] : clocks) write_pairs(machine, domain, clock);
  }
}

void Clocks::write_later() const {
  for (const uint32_t machine : machines_.in_order()) {
    if (machine == store_.timeline_machine || !selection_.takes_machine(machine)) continue;
    if (has_logs_[machine]) write_pairs(machine, domain::kRealtime, realtime_);
    if (const auto coarse = coarse_.find(machine); coarse != coarse_.end())
      write_pairs(machine, domain::kMonotonicCoarse, coarse->second);
  }
}

void Clocks::write_first(uint32_t machine) const {
  const ClockSnapshotTable& rows = store_.clock_snapshots;
  Packet packet(file_, machines_.events(machine));
  protozero::pbf_writer snapshot(packet.get(), field::TracePacket::kClockSnapshot);
  add_clock(snapshot, field::ClockSnapshot::kClocks, kBoottime, first_time());
  if (machine == store_.timeline_machine)
    snapshot.add_enum(field::ClockSnapshot::kPrimaryTraceClock, kBoottime);
  protozero::pbf_writer about(snapshot, own::kField);
  if (trace_clock_ != kBoottime) about.add_uint32(own::Clocks::kTraceClock, trace_clock_);
  about.add_int64(own::Clocks::kTime, first_time());
  if (file_.shift() != 0) about.add_int64(own::Clocks::kShift, file_.shift());
  for_each_moment(machine, [&](int64_t ts, const std::vector<size_t>& of_machine) {
    protozero::pbf_writer moment(about, own::Clocks::kReadings);
    moment.add_int64(own::Readings::kTime, ts);
    for (const size_t row : of_machine)
      add_clock(moment, own::Readings::kClock, static_cast<uint32_t>(rows.clock_id[row]),
                rows.clock_value[row]);
  });
}

// Each clock has snapshots of its own with BOOTTIME, because readers use one kind of snapshot only
// for a pair of clocks.
void Clocks::write_pairs(uint32_t machine, uint32_t domain, const SteppedClock& clock) const {
  for (const SteppedClock::Reading& reading : clock.readings()) {
    Packet packet(file_, machines_.events(machine));
    protozero::pbf_writer snapshot(packet.get(), field::TracePacket::kClockSnapshot);
    add_clock(snapshot, field::ClockSnapshot::kClocks, kBoottime, reading.ts);
    add_clock(snapshot, field::ClockSnapshot::kClocks, domain, reading.value);
    snapshot.add_message(own::kField, std::string());
  }
}

}  // namespace tracebraid::perfetto
