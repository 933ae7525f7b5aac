#include "export/perfetto/descriptors.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <limits>

#include "export/perfetto/args.h"
#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

constexpr std::string_view kThreadRoot = "thread_execution";

bool is_set(OptInt value) { return value.value != OptInt::kNull; }
bool is_set(OptRow value) { return value.row != OptRow::kNull; }

}  // namespace

Descriptors::Descriptors(const Store& store, const Selection& selection, const Machines& machines)
    : store_(store),
      selection_(selection),
      machines_(machines),
      uuids_(store.tracks.rows()),
      starts_with_main_(store.processes.rows()),
      first_thread_(store.processes.rows(), OptRow::kNull) {
  const ThreadTable& threads = store.threads;
  std::vector<bool> has_main(store.processes.rows());
  for (uint32_t utid = 0; utid < threads.rows(); ++utid) {
    const OptRow upid = threads.upid[utid];
    if (!is_set(upid) || threads.is_main_thread[utid].value != 1) continue;
    const bool is_first = !has_main[upid.row];
    has_main[upid.row] = true;
    if (!is_set(threads.start_ts[utid])) continue;
    if (threads.start_ts[utid].value == store.processes.start_ts[upid.row].value)
      starts_with_main_[upid.row] = true;
    else if (is_first && !is_set(store.processes.start_ts[upid.row]))
      first_thread_[upid.row] = utid;
  }
  find_shown_pids();
  find_process_begins();
  find_thread_begins();
  has_slices_.resize(store.tracks.rows());
  for (const uint32_t track : store.slices.track_id.values()) has_slices_[track] = true;
  find_threads_of_switches();
  // The first track of slices of a thread is the thread track.
  has_tracks_.resize(threads.rows());
  std::vector<bool> has_root(threads.rows());
  for (uint32_t track = 0; track < store.tracks.rows(); ++track) {
    if (!takes_track(track)) continue;
    uuids_[track] = uint64_t{track} * 4 + 3;
    const OptRow utid = store.tracks.utid[track];
    if (is_set(utid)) has_tracks_[utid.row] = true;
    if (!is_set(utid) || has_root[utid.row] || text(store, store.tracks.type[track]) != kThreadRoot)
      continue;
    uuids_[track] = thread_uuid(utid.row);
    has_root[utid.row] = true;
  }
}

// Finds numbers for processes whose pid has more than 32 bits.
void Descriptors::find_shown_pids() {
  const ProcessTable& processes = store_.processes;
  const ThreadTable& threads = store_.threads;
  std::vector<uint32_t> wide;
  absl::flat_hash_set<std::pair<uint32_t, int64_t>> used;
  for (uint32_t upid = 0; upid < processes.rows(); ++upid) {
    const int64_t pid = processes.pid[upid];
    if (pid != static_cast<int32_t>(pid)) wide.push_back(upid);
    used.emplace(processes.machine_id[upid], pid);
  }
  if (wide.empty()) return;
  for (uint32_t utid = 0; utid < threads.rows(); ++utid)
    used.emplace(threads.machine_id[utid], threads.tid[utid]);
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, int32_t> shown;
  int32_t next = std::numeric_limits<int32_t>::max();
  for (const uint32_t upid : wide) {
    const uint32_t machine = processes.machine_id[upid];
    const auto [number, is_new] = shown.try_emplace({machine, processes.pid[upid]});
    if (is_new) {
      while (used.contains({machine, next})) --next;
      number->second = next--;
    }
    shown_pids_[upid] = number->second;
  }
}

// A later process with the same pid is described after the earlier one has ended.
void Descriptors::find_process_begins() {
  const ProcessTable& rows = store_.processes;
  shares_pid_.resize(rows.rows());
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, uint32_t> lives;
  for (uint32_t upid = 0; upid < rows.rows(); ++upid) {
    const auto [last, is_first] = lives.try_emplace({rows.machine_id[upid], rows.pid[upid]}, upid);
    int64_t begin = store_.trace_start;
    if (!is_first) {
      const OptInt end = rows.end_ts[last->second];
      begin = is_set(end) ? end.value : process_begins_[last->second];
      shares_pid_[last->second] = shares_pid_[upid] = true;
      last->second = upid;
    }
    if (starts_with_main_[upid]) begin = rows.start_ts[upid].value;
    if (const uint32_t first = first_thread_[upid]; first != OptRow::kNull)
      begin = std::max(begin, store_.threads.start_ts[first].value);
    process_begins_.push_back(begin);
  }
}

// Returns when the thread ended, or its process.
std::optional<int64_t> Descriptors::end_of_thread(uint32_t utid) const {
  const OptInt end = store_.threads.end_ts[utid];
  if (is_set(end)) return end.value;
  const OptRow upid = store_.threads.upid[utid];
  if (!is_set(upid) || !is_set(store_.processes.end_ts[upid.row])) return std::nullopt;
  return store_.processes.end_ts[upid.row].value;
}

// The same for threads, so that events of an earlier thread, which give only its number, are not
// those of the later one.
void Descriptors::find_thread_begins() {
  const ThreadTable& rows = store_.threads;
  has_earlier_life_.resize(rows.rows());
  has_later_life_.resize(rows.rows());
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, uint32_t> lives;
  for (uint32_t utid = 0; utid < rows.rows(); ++utid) {
    const OptRow upid = rows.upid[utid];
    int64_t begin = is_set(upid) ? process_begins_[upid.row] : store_.trace_start;
    const auto [last, is_first] = lives.try_emplace({rows.machine_id[utid], rows.tid[utid]}, utid);
    if (!is_first) {
      begin = std::max(begin, end_of_thread(last->second).value_or(thread_begins_[last->second]));
      has_later_life_[last->second] = has_earlier_life_[utid] = true;
      last->second = utid;
    }
    if (is_set(rows.start_ts[utid])) begin = std::max(begin, rows.start_ts[utid].value);
    thread_begins_.push_back(begin);
  }
}

bool Descriptors::takes_thread(uint32_t utid) const {
  return selection_.takes_machine(store_.threads.machine_id[utid]) &&
         selection_.takes_process(store_.threads.upid[utid]);
}

std::optional<uint32_t> Descriptors::machine_of_log(uint32_t row) const {
  const OptRow utid = store_.logs.utid[row];
  const bool has_thread = is_set(utid);
  if (!selection_.takes_time(store_.logs.ts[row], 0)) return std::nullopt;
  if (has_thread ? !takes_thread(utid.row) : !selection_.processes.empty()) return std::nullopt;
  return has_thread ? store_.threads.machine_id[utid.row] : store_.timeline_machine;
}

// Finds the threads without a process and without tracks whose number and name the switches give.
void Descriptors::find_threads_of_switches() {
  const ThreadTable& threads = store_.threads;
  is_of_switches_.resize(threads.rows());
  if (selection_.chooses_rows()) return;
  for (const uint32_t utid : store_.sched.utid.values()) is_of_switches_[utid] = true;
  for (const uint32_t utid : store_.thread_states.utid.values()) is_of_switches_[utid] = true;
  for (const OptRow utid : store_.tracks.utid.values())
    if (is_set(utid)) is_of_switches_[utid.row] = false;
  for (uint32_t utid = 0; utid < threads.rows(); ++utid)
    if (is_set(threads.upid[utid]) || !threads.name[utid] || has_earlier_life_[utid] ||
        has_later_life_[utid])
      is_of_switches_[utid] = false;
}

bool Descriptors::takes_track(uint32_t track) const {
  const TrackTable& tracks = store_.tracks;
  if (const OptRow utid = tracks.utid[track]; is_set(utid)) return takes_thread(utid.row);
  return selection_.takes_machine(tracks.machine_id[track]) &&
         selection_.takes_process(tracks.upid[track]);
}

bool Descriptors::is_written(uint32_t utid) const {
  // The idle task exists without a descriptor, and its pid may be that of another process.
  const bool is_idle = store_.threads.is_idle[utid] == 1 && store_.threads.tid[utid] == 0;
  return takes_thread(utid) && (!is_idle || has_tracks_[utid]);
}

// Writes processes without a main thread, which a descriptor would add (spec proto 6.1).
void Descriptors::write_processes_of_tasks(PacketFile& file) const {
  using Tree = field::GenericKernelProcessTree;
  using Thread = field::GenericKernelProcessTree_Thread;
  const ThreadTable& threads = store_.threads;
  std::vector<bool> has_main(store_.processes.rows());
  for (uint32_t utid = 0; utid < threads.rows(); ++utid)
    if (const OptRow upid = threads.upid[utid];
        is_set(upid) && threads.tid[utid] == store_.processes.pid[upid.row])
      has_main[upid.row] = true;
  for (uint32_t utid = 0; utid < threads.rows(); ++utid) {
    const OptRow upid = threads.upid[utid];
    if (!is_set(upid) || has_main[upid.row] || !takes_thread(utid)) continue;
    Packet packet(file, machines_.names(threads.machine_id[utid]),
                  file.not_before_zero(thread_begins_[utid]));
    protozero::pbf_writer tree(packet.get(), field::TracePacket::kGenericKernelProcessTree);
    protozero::pbf_writer thread(tree, Tree::kThreads);
    thread.add_int64(Thread::kTid, threads.tid[utid]);
    thread.add_int64(Thread::kPid, shown_pid(upid.row));
    if (threads.name[utid]) add_text(thread, Thread::kComm, text(store_, threads.name[utid]));
    if (threads.is_main_thread[utid].value == 1) thread.add_bool(Thread::kIsMainThread, true);
    if (threads.is_idle[utid] != 0) thread.add_bool(Thread::kIsIdle, true);
  }
}

// Threads of a process whose pid is reused follow it at once, because threads are of the last
// process with their pid.
Result<> Descriptors::write(PacketFile& file) const {
  const ThreadTable& threads = store_.threads;
  write_processes_of_tasks(file);
  std::vector<std::vector<uint32_t>> of_process(store_.processes.rows());
  const auto is_first_of_process = [&](uint32_t utid) {
    const OptRow upid = threads.upid[utid];
    return is_set(upid) && first_thread_[upid.row] == utid;
  };
  const auto follows_process = [&](uint32_t utid) {
    const OptRow upid = threads.upid[utid];
    return is_set(upid) && shares_pid_[upid.row] && !is_first_of_process(utid);
  };
  for (uint32_t utid = 0; utid < threads.rows(); ++utid)
    if (is_written(utid) && follows_process(utid))
      of_process[threads.upid[utid].row].push_back(utid);
  for (uint32_t upid = 0; upid < store_.processes.rows(); ++upid) {
    if (!selection_.takes_machine(store_.processes.machine_id[upid]) ||
        !selection_.takes_process({upid}))
      continue;
    if (const uint32_t first = first_thread_[upid]; first != OptRow::kNull && is_written(first))
      write_thread(first, file);
    write_process(upid, file);
    for (const uint32_t utid : of_process[upid]) write_thread(utid, file);
    TB_TRY(file.drain());
  }
  for (uint32_t utid = 0; utid < threads.rows(); ++utid) {
    if (!is_written(utid) || follows_process(utid) || is_first_of_process(utid)) continue;
    write_thread(utid, file);
    TB_TRY(file.drain());
  }
  for (uint32_t track = 0; track < store_.tracks.rows(); ++track) {
    if (uuids_[track] % 4 != 3) continue;
    write_track(track, file);
    TB_TRY(file.drain());
  }
  return {};
}

void Descriptors::write_process(uint32_t upid, PacketFile& file) const {
  using Field = field::ProcessDescriptor;
  const ProcessTable& rows = store_.processes;
  Packet packet(file, machines_.names(rows.machine_id[upid]),
                file.not_before_zero(process_begins_[upid]));
  protozero::pbf_writer track(packet.get(), field::TracePacket::kTrackDescriptor);
  track.add_uint64(field::TrackDescriptor::kUuid, process_uuid(upid));
  protozero::pbf_writer process(track, field::TrackDescriptor::kProcess);
  process.add_int32(Field::kPid, shown_pid(upid));
  add_if_any(store_, process, Field::kCmdline, rows.cmdline[upid]);
  add_if_any(store_, process, Field::kProcessName, rows.name[upid]);
  protozero::pbf_writer about(process, own::kField);
  using Own = own::Owner;
  if (is_set(rows.start_ts[upid]))
    about.add_int64(Own::kStart, file.time(rows.start_ts[upid].value));
  if (starts_with_main_[upid]) about.add_bool(Own::kIsNewLife, true);
  if (shown_pids_.contains(upid)) about.add_int64(Own::kPid, rows.pid[upid]);
  add_if_any(store_, about, Own::kName, rows.name[upid]);
  add_if_any(store_, about, Own::kCmdline, rows.cmdline[upid]);
  if (is_set(rows.uid[upid])) about.add_int64(Own::kUid, rows.uid[upid].value);
  if (const OptRow parent = rows.parent_upid[upid]; is_set(parent)) {
    about.add_int64(Own::kParentPid, rows.pid[parent.row]);
    about.add_uint64(Own::kParentUuid, process_uuid(parent.row));
  }
  add_own_args(store_, rows.arg_set_id[upid], Own::kArg, about);
}

void Descriptors::write_thread(uint32_t utid, PacketFile& file) const {
  using Field = field::ThreadDescriptor;
  using Own = own::Owner;
  const ThreadTable& rows = store_.threads;
  const OptRow upid = rows.upid[utid];
  const bool has_process = is_set(upid);
  const bool starts_process =
      has_process && starts_with_main_[upid.row] && rows.is_main_thread[utid].value == 1;
  const bool starts = is_set(rows.start_ts[utid]);
  Packet packet(file, machines_.names(rows.machine_id[utid]),
                file.not_before_zero(thread_begins_[utid]));
  protozero::pbf_writer track(packet.get(), field::TracePacket::kTrackDescriptor);
  track.add_uint64(field::TrackDescriptor::kUuid, thread_uuid(utid));
  if (has_process) track.add_uint64(field::TrackDescriptor::kParentUuid, process_uuid(upid.row));
  protozero::pbf_writer thread(
      track, is_of_switches_[utid] ? uint32_t{own::kThreadField} : field::TrackDescriptor::kThread);
  const int64_t pid = has_process ? shown_pid(upid.row) : rows.tid[utid];
  thread.add_int32(Field::kPid, static_cast<int32_t>(pid));
  // The main thread has the number of its process.
  const bool is_other = has_process && shown_pids_.contains(upid.row);
  const bool is_main = is_other && rows.tid[utid] == store_.processes.pid[upid.row];
  thread.add_int64(Field::kTid, is_main ? pid : rows.tid[utid]);
  add_if_any(store_, thread, Field::kThreadName, rows.name[utid]);
  protozero::pbf_writer about(thread, own::kField);
  if (!has_process) about.add_bool(Own::kIsAlone, true);
  if (is_other) about.add_int64(Own::kPid, store_.processes.pid[upid.row]);
  if (is_main) about.add_int64(Own::kTid, rows.tid[utid]);
  if (starts && !starts_process) about.add_int64(Own::kStart, file.time(rows.start_ts[utid].value));
  if (is_set(rows.end_ts[utid]))
    about.add_int64(has_later_life_[utid] ? Own::kEnd : Own::kNotedEnd,
                    file.time(rows.end_ts[utid].value));
  add_own_args(store_, rows.arg_set_id[utid], Own::kArg, about);
}

void Descriptors::write_track(uint32_t track, PacketFile& file) const {
  using Field = field::TrackDescriptor;
  const TrackTable& rows = store_.tracks;
  Packet packet(file, machines_.names(rows.machine_id[track]),
                file.not_before_zero(store_.trace_start));
  protozero::pbf_writer descriptor(packet.get(), field::TracePacket::kTrackDescriptor);
  descriptor.add_uint64(Field::kUuid, uuids_[track]);
  add_place(track, descriptor);
  const std::string_view events = text(store_, rows.event_type[track]);
  if (events == "state") descriptor.add_message(Field::kState, std::string());
  // A few kinds of slices are on tracks with types of counters (spec proto 10), on which readers
  // accept no slices.
  if (events == "counter" && !has_slices_[track]) {
    // Always present, also without details of the counter.
    std::string counter;
    protozero::pbf_writer about(counter);
    add_if_any(store_, about, field::CounterDescriptor::kUnitName, rows.counter_unit[track]);
    descriptor.add_message(Field::kCounter, counter);
  }
  // Lanes of a track are distinct already.
  descriptor.add_enum(Field::kSiblingMergeBehavior,
                      field::TrackDescriptor_SiblingMergeBehavior::kNone);
  add_own_track(track, descriptor);
}

// Adds the name and the parent of a track.
void Descriptors::add_place(uint32_t track, protozero::pbf_writer& descriptor) const {
  using Field = field::TrackDescriptor;
  const TrackTable& rows = store_.tracks;
  add_if_any(store_, descriptor, Field::kName, rows.name[track]);
  const OptRow parent = rows.parent_id[track];
  if (is_set(parent) && uuids_[parent.row] != 0)
    descriptor.add_uint64(Field::kParentUuid, uuids_[parent.row]);
  else if (is_set(rows.utid[track]))
    descriptor.add_uint64(Field::kParentUuid, thread_uuid(rows.utid[track].row));
  else if (is_set(rows.upid[track]))
    descriptor.add_uint64(Field::kParentUuid, process_uuid(rows.upid[track].row));
}

void Descriptors::write_lane(uint32_t track, uint64_t uuid, PacketFile& file) const {
  using Field = field::TrackDescriptor;
  Packet packet(file, machines_.names(store_.tracks.machine_id[track]),
                file.not_before_zero(store_.trace_start));
  protozero::pbf_writer descriptor(packet.get(), field::TracePacket::kTrackDescriptor);
  descriptor.add_uint64(Field::kUuid, uuid);
  add_place(track, descriptor);
  descriptor.add_enum(Field::kSiblingMergeBehavior,
                      field::TrackDescriptor_SiblingMergeBehavior::kNone);
}

void Descriptors::add_own_track(uint32_t track, protozero::pbf_writer& descriptor) const {
  using Own = own::Track;
  // Readers add the dimensions of the owner and of the GPU.
  static constexpr std::string_view kOfOwner[] = {"utid", "upid", "ugpu", "gpu"};
  static constexpr std::string_view kOfCpu[] = {"cpu", "ugpu", "gpu"};
  const TrackTable& rows = store_.tracks;
  protozero::pbf_writer about(descriptor, own::kField);
  add_text(about, Own::kType, text(store_, rows.type[track]));
  add_if_any(store_, about, Own::kUnit, rows.counter_unit[track]);
  if (is_set(rows.track_group_id[track]))
    about.add_uint32(Own::kGroup, rows.track_group_id[track].row + 1);
  const bool has_owner = is_set(rows.utid[track]) || is_set(rows.upid[track]);
  const OptRow dimensions = rows.dimension_arg_set_id[track];
  bool is_of_cpu = false;
  if (is_set(dimensions)) {
    for (const ArgRow arg : store_.args.set(dimensions.row)) {
      const std::string_view key = text(store_, store_.args.keys[arg.key].key);
      const bool is_first = !is_of_cpu && key == "cpu" && !has_owner && arg.type == ArgType::Int;
      if (is_first) about.add_uint32(Own::kCpu, static_cast<uint32_t>(arg.value));
      is_of_cpu |= is_first;
      if (key == "gpu") about.add_uint32(Own::kGpu, static_cast<uint32_t>(arg.value));
    }
  }
  add_own_args(store_, dimensions, Own::kDimension, about,
               is_of_cpu ? std::span<const std::string_view>(kOfCpu) : kOfOwner);
  add_own_args(store_, rows.source_arg_set_id[track], Own::kSource, about);
}

}  // namespace tracebraid::perfetto
