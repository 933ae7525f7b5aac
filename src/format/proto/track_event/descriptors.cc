#include "format/proto/track_event/descriptors.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/recording/own.h"
#include "format/proto/track_event/chrome_names.h"
#include "format/proto/track_event/stats.h"
#include "format/proto/wire/wire.h"

namespace tracebraid::proto {
namespace {

struct ProcessFields {
  std::optional<int64_t> pid;
  StringId name;
  std::vector<std::string_view> labels;
  uint32_t chrome_type = 0;
  std::string_view host_app;
  std::optional<uint64_t> crash_trace_id;
  std::optional<int64_t> start_ns;
  std::string_view own;
};

struct ThreadFields {
  std::optional<int64_t> pid, tid;
  StringId name;
  uint32_t chrome_type = 0;
  bool is_sandboxed = false;
  int64_t reference_us = 0, thread_time_us = 0, instructions = 0;
  std::string_view own;
  // Makes namespace-local tids of different processes distinct.
  int64_t global_tid() const {
    if (!is_sandboxed) return *tid;
    return static_cast<int64_t>(static_cast<uint64_t>(*pid) << 32 | static_cast<uint32_t>(*tid));
  }
};

void read_process(std::string_view message, ProcessFields& process, EventSink& sink) {
  using Field = field::ProcessDescriptor;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPid:
        process.pid = fields.i32();
        break;
      case Field::kChromeProcessType:
        process.chrome_type = fields.u32();
        break;
      case Field::kProcessName:
        process.name = sink.string(fields.bytes());
        break;
      case Field::kStartTimestampNs:
        process.start_ns = fields.i64();
        break;
      case Field::kProcessLabels:
        process.labels.push_back(fields.bytes());
        break;
      case own::kField:
        process.own = fields.bytes();
        break;
      default:
        break;
    }
  }
}

void read_chrome_process(std::string_view message, ProcessFields& process) {
  using Field = field::ChromeProcessDescriptor;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kProcessType) process.chrome_type = fields.u32();
    if (fields.number() == Field::kHostAppPackageName) process.host_app = fields.bytes();
    if (fields.number() == Field::kCrashTraceId) process.crash_trace_id = fields.u64();
  }
}

void read_thread(std::string_view message, ThreadFields& thread, EventSink& sink) {
  using Field = field::ThreadDescriptor;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPid:
        thread.pid = fields.i32();
        break;
      case Field::kTid:
        thread.tid = fields.i64();
        break;
      case Field::kThreadName:
        thread.name = sink.string(fields.bytes());
        break;
      case Field::kChromeThreadType:
        thread.chrome_type = fields.u32();
        break;
      case Field::kReferenceTimestampUs:
        thread.reference_us = fields.i64();
        break;
      case Field::kReferenceThreadTimeUs:
        thread.thread_time_us = fields.i64();
        break;
      case Field::kReferenceThreadInstructionCount:
        thread.instructions = fields.i64();
        break;
      case own::kField:
        thread.own = fields.bytes();
        break;
      default:
        break;
    }
  }
}

void read_chrome_thread(std::string_view message, ThreadFields& thread) {
  using Field = field::ChromeThreadDescriptor;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kThreadType) thread.chrome_type = fields.u32();
    if (fields.number() == Field::kIsSandboxedTid) thread.is_sandboxed = fields.flag();
  }
}

void add_text_arg(std::string_view flat_key, std::string_view key, std::string_view text,
                  EventSink& sink) {
  sink.arg(sink.arg_key({sink.string(flat_key), sink.string(key)}), ArgType::String,
           sink.string(text).row);
}

uint32_t process_args(const ProcessFields& process, EventSink& sink) {
  sink.open_args();
  for (size_t i = 0; i < process.labels.size(); ++i)
    add_text_arg("chrome.process_label", fmt::format("chrome.process_label[{}]", i),
                 process.labels[i], sink);
  const std::string_view type = chrome_process_name(process.chrome_type);
  if (!type.empty()) add_text_arg("chrome.process_type", "chrome.process_type", type, sink);
  if (!process.host_app.empty())
    add_text_arg("chrome.host_app_package_name", "chrome.host_app_package_name", process.host_app,
                 sink);
  if (process.crash_trace_id) {
    const StringId key = sink.string("chrome.crash_trace_id");
    sink.arg(sink.arg_key({key, key}), ArgType::Uint,
             static_cast<int64_t>(*process.crash_trace_id));
  }
  return sink.close_args();
}

void emit_process_name(const PacketInfo& packet, uint32_t index, StringId name, int64_t priority,
                       EventSink& sink) {
  sink.event(make_process_name(packet.time, index, name, priority));
}

// Returns trace time `ns` on the clock of the packet.
EventTime time_at(const PacketInfo& packet, int64_t ns) { return {ns, packet.time.clock}; }

uint32_t owner_args(std::string_view own, EventSink& sink) {
  return own::arg_set(own, own::Owner::kArg, sink);
}

// Emits a process described by our exporter, before other events name it.
void begin_own_process(const PacketInfo& packet, const ProcessFields& process, EventSink& sink) {
  std::optional<int64_t> start;
  bool is_new_life = false;
  for (Message fields(process.own); fields.next();) {
    if (fields.number() == own::Owner::kStart) start = fields.i64();
    if (fields.number() == own::Owner::kIsNewLife) is_new_life = fields.flag();
  }
  if (!start) return;
  const uint32_t index = sink.process({.machine = packet.machine, .pid = *process.pid});
  sink.event(make_process_start(time_at(packet, *start), index, is_new_life));
}

void emit_own_process(const PacketInfo& packet, const ProcessFields& process, uint32_t index,
                      EventSink& sink) {
  using Field = own::Owner;
  ProcessName parent{.machine = packet.machine};
  const EventTime& time = packet.time;
  for (Message fields(process.own); fields.next();) {
    if (fields.number() == Field::kName)
      sink.event(
          make_process_name(time, index, sink.string(fields.bytes()), process_priority::kOwn));
    if (fields.number() == Field::kCmdline)
      sink.event(make_process_cmdline(time, index, sink.string(fields.bytes())));
    if (fields.number() == Field::kUid) sink.event(make_process_uid(time, index, fields.i64()));
    if (fields.number() == Field::kParentPid) parent.pid = fields.i64();
    if (fields.number() == Field::kParentUuid) parent.life = fields.u64();
  }
  if (parent.life != 0) sink.event(make_process_parent(time, index, sink.process(parent)));
  if (const uint32_t args = owner_args(process.own, sink); args != kNone)
    sink.event(make_process_args(time, index, args));
}

// Emits all facts about a process. `life` distinguishes processes with its pid.
void emit_process(const PacketInfo& packet, const ProcessFields& process, uint64_t life,
                  Clocks& clocks, EventSink& sink) {
  if (!process.own.empty()) begin_own_process(packet, process, sink);
  const uint32_t index =
      sink.process({.machine = packet.machine, .pid = *process.pid, .life = life});
  sink.event(make_process_seen(packet.time, index));
  if (!process.own.empty()) emit_own_process(packet, process, index, sink);
  if (process.name)
    emit_process_name(packet, index, process.name, process_priority::kDescriptor, sink);
  const std::string_view shown = chrome_process_name(process.chrome_type);
  if (!shown.empty())
    emit_process_name(packet, index, sink.string(shown),
                      process.chrome_type == kChromeRenderer && !process.labels.empty()
                          ? process_priority::kChromeRenderer
                          : process_priority::kChromeLabel,
                      sink);
  if (const uint32_t args = process_args(process, sink); args != kNone) {
    sink.event(make_process_args(packet.time, index, args));
  }
  // Its time is not converted (spec proto 4.5).
  if (process.start_ns && *process.start_ns > 0)
    sink.event(make_process_start(clocks.raw(packet.machine, *process.start_ns), index));
}

// Emits start and end of a thread described by our exporter.
void emit_own_thread(const PacketInfo& packet, const ThreadFields& thread, EventSink& sink) {
  const uint32_t index =
      sink.thread({.machine = packet.machine, .tid = thread.global_tid(), .pid = *thread.pid});
  for (Message fields(thread.own); fields.next();) {
    if (fields.number() == own::Owner::kStart)
      sink.event(make_thread_start(time_at(packet, fields.i64()), index));
    if (fields.number() == own::Owner::kEnd || fields.number() == own::Owner::kNotedEnd)
      sink.event(make_thread_end(time_at(packet, fields.i64()), index,
                                 fields.number() == own::Owner::kNotedEnd));
  }
}

void emit_thread(const PacketInfo& packet, const ThreadFields& thread, uint64_t life,
                 EventSink& sink) {
  if (!thread.own.empty()) emit_own_thread(packet, thread, sink);
  const uint32_t index = sink.thread(
      {.machine = packet.machine, .tid = thread.global_tid(), .pid = *thread.pid, .life = life});
  sink.event(make_thread_seen(packet.time, index));
  const auto emit_name = [&](StringId name, int64_t priority) {
    sink.event(make_thread_name(packet.time, index, name, priority));
  };
  const std::string_view shown = chrome_thread_name(thread.chrome_type);
  if (const uint32_t args = owner_args(thread.own, sink); args != kNone)
    sink.event(make_thread_args(packet.time, index, args));
  if (!shown.empty()) emit_name(sink.string(shown), thread_priority::kDescriptorType);
  if (thread.name) emit_name(thread.name, thread_priority::kDescriptor);
}

// Sets the thread of the sequence.
void set_writer(const PacketInfo& packet, const ThreadFields& thread) {
  packet.sequence->thread = {.is_known = true,
                             .pid = packet.resolve(*thread.pid),
                             .tid = packet.resolve(thread.global_tid()),
                             .has_reference = true,
                             .reference_us = thread.reference_us,
                             .thread_time_us = thread.thread_time_us,
                             .instructions = thread.instructions};
}

StringId child_ordering_name(uint64_t value, EventSink& sink) {
  using Ordering = field::TrackDescriptor_ChildTracksOrdering;
  switch (value) {
    case Ordering::kLexicographic:
      return sink.string("lexicographic");
    case Ordering::kChronological:
      return sink.string("chronological");
    case Ordering::kExplicit:
      return sink.string("explicit");
    default:
      return {};
  }
}

CounterTrack read_counter(std::string_view message, EventSink& sink) {
  using Field = field::CounterDescriptor;
  using Unit = field::CounterDescriptor_Unit;
  using Builtin = field::CounterDescriptor_BuiltinCounterType;
  CounterTrack counter;
  std::string categories;
  uint32_t unit = 0;
  StringId unit_name;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kType:
        if (fields.u32() == Builtin::kThreadTimeNs) counter.builtin = BuiltinCounter::ThreadTime;
        if (fields.u32() == Builtin::kThreadInstructionCount)
          counter.builtin = BuiltinCounter::InstructionCount;
        break;
      case Field::kCategories:
        if (!categories.empty()) categories += ',';
        categories += fields.bytes();
        break;
      case Field::kUnit:
        unit = fields.u32();
        break;
      case Field::kUnitMultiplier:
        counter.multiplier = fields.i64();
        break;
      case Field::kIsIncremental:
        counter.is_incremental = fields.flag();
        break;
      case Field::kUnitName:
        unit_name = sink.string(fields.bytes());
        break;
      case Field::kYAxisShareKey:
        counter.share_key = sink.string(fields.bytes());
        break;
      default:
        break;
    }
  }
  if (!categories.empty()) counter.categories = sink.string(categories);
  if (unit == 0 && counter.builtin == BuiltinCounter::ThreadTime) unit = Unit::kTimeNs;
  if (unit == 0 && counter.builtin == BuiltinCounter::InstructionCount) unit = Unit::kCount;
  if (unit == Unit::kTimeNs) counter.unit = sink.string("ns");
  if (unit == Unit::kCount) counter.unit = sink.string("count");
  if (unit == Unit::kSizeBytes) counter.unit = sink.string("bytes");
  if (unit == 0) counter.unit = unit_name;
  return counter;
}

// The content of a TrackDescriptor.
struct Described {
  std::optional<uint64_t> uuid;
  TrackDeclaration track;
  ProcessFields process;
  ThreadFields thread;
  bool orders_processes = false, orders_threads = false;
  bool is_ordering_valid = true;
};

void read_sibling_merge(const Message& fields, Described& all, EventSink& sink) {
  using Field = field::TrackDescriptor;
  using Merge = field::TrackDescriptor_SiblingMergeBehavior;
  switch (fields.number()) {
    case Field::kSiblingMergeBehavior:
      all.track.merge = SiblingMerge::ByName;
      if (fields.u32() == Merge::kNone) all.track.merge = SiblingMerge::None;
      if (fields.u32() == Merge::kBySiblingMergeKey) all.track.merge = SiblingMerge::ByKey;
      break;
    case Field::kSiblingMergeKey:
      all.track.merge_key = sink.string(fields.bytes());
      break;
    case Field::kSiblingMergeKeyInt:
      all.track.merge_key = sink.string(fmt::format("sibling_merge_key_int:{}", fields.u64()));
      break;
    default:
      break;
  }
}

OwnTrack read_own_track(std::string_view message, EventSink& sink) {
  using Field = own::Track;
  OwnTrack track;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kType) track.type = sink.string(fields.bytes());
    if (fields.number() == Field::kUnit) track.unit = sink.string(fields.bytes());
    if (fields.number() == Field::kCpu) track.cpu = fields.u32();
    if (fields.number() == Field::kGpu) track.gpu = fields.u32();
    if (fields.number() == Field::kGroup) track.group = fields.u32();
  }
  track.dimensions = own::arg_set(message, Field::kDimension, sink);
  track.source_args = own::arg_set(message, Field::kSource, sink);
  return track;
}

bool is_of_nobody(std::string_view own_thread) {
  for (Message fields(own_thread); fields.next();)
    if (fields.number() == own::Owner::kIsAlone) return fields.flag();
  return false;
}

Described read_described(std::string_view message, EventSink& sink) {
  using Field = field::TrackDescriptor;
  Described all;
  TrackDeclaration& track = all.track;
  StringId static_name, atrace_name;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kUuid:
        all.uuid = fields.u64();
        break;
      case Field::kName:
        track.name = sink.string(fields.bytes());
        break;
      case Field::kStaticName:
        static_name = sink.string(fields.bytes());
        break;
      case Field::kAtraceName:
        atrace_name = sink.string(fields.bytes());
        break;
      case Field::kParentUuid:
        track.parent_uuid = fields.u64();
        break;
      case Field::kProcess:
        track.has_process = true;
        read_process(fields.bytes(), all.process, sink);
        break;
      case Field::kThread:
        track.has_thread = true;
        read_thread(fields.bytes(), all.thread, sink);
        break;
      case Field::kChromeProcess:
        read_chrome_process(fields.bytes(), all.process);
        break;
      case Field::kChromeThread:
        read_chrome_thread(fields.bytes(), all.thread);
        break;
      case Field::kCounter:
        track.kind = TrackEvents::Counter;
        track.counter = read_counter(fields.bytes(), sink);
        break;
      case Field::kState:
        track.kind = TrackEvents::State;
        break;
      case Field::kDisallowMergingWithSystemTracks:
        track.is_separate = fields.flag();
        break;
      case Field::kChildOrdering:
        track.child_ordering = child_ordering_name(fields.u64(), sink);
        all.is_ordering_valid = fields.u64() == 0 || track.child_ordering;
        break;
      case Field::kSiblingOrderRank:
        track.sibling_rank = fields.i32();
        break;
      case Field::kDescription:
        track.description = sink.string(fields.bytes());
        break;
      case Field::kProcessOrdering:
        all.orders_processes = fields.u64() != 0;
        break;
      case Field::kThreadOrdering:
        all.orders_threads = fields.u64() != 0;
        break;
      case own::kField:
        track.own = read_own_track(fields.bytes(), sink);
        break;
      default:
        read_sibling_merge(fields, all, sink);
        break;
    }
  }
  if (atrace_name) track.name = atrace_name;
  if (static_name) track.name = static_name;
  return all;
}

// Returns the problem that makes the descriptor unusable, if any.
std::optional<StatId> problem_of(const Described& all) {
  if (!all.uuid) return stats::track_descriptor_missing_uuid;
  if (all.track.has_thread && (!all.thread.pid || !all.thread.tid))
    return stats::track_descriptor_thread_missing_pid_tid;
  if (all.track.has_process && !all.process.pid) return stats::track_descriptor_process_missing_pid;
  if (!all.is_ordering_valid) return stats::track_descriptor_invalid_child_ordering;
  if (*all.uuid == 0 && all.track.parent_uuid != 0)
    return stats::track_descriptor_default_track_with_parent;
  return std::nullopt;
}

// Adds the rank as an arg of processes or threads that are ordered by rank.
void emit_rank(const PacketInfo& packet, const Described& all, const Tracks& tracks,
               EventSink& sink) {
  if (!all.track.sibling_rank) return;
  const bool of_thread = all.track.has_thread;
  if (of_thread ? !tracks.orders_threads : !(all.track.has_process && tracks.orders_processes))
    return;
  const StringId key =
      sink.string(of_thread ? "thread_sort_index_hint" : "process_sort_index_hint");
  sink.open_args();
  sink.arg(sink.arg_key({key, key}), ArgType::Int, *all.track.sibling_rank);
  const uint32_t args = sink.close_args();
  const uint32_t owner =
      of_thread
          ? sink.thread({.machine = packet.machine,
                         .tid = all.track.tid,
                         .pid = all.track.pid,
                         .life = *all.uuid})
          : sink.process({.machine = packet.machine, .pid = all.track.pid, .life = *all.uuid});
  sink.event(of_thread ? make_thread_args(packet.time, owner, args)
                       : make_process_args(packet.time, owner, args));
}

// Resolves ids in pid namespaces.
Described describe(const PacketInfo& packet, std::string_view message, EventSink& sink) {
  Described all = read_described(message, sink);
  TrackDeclaration& track = all.track;
  if (track.has_thread && is_of_nobody(all.thread.own)) all.thread.pid = kNoId;
  if (track.has_thread) {
    track.pid = all.thread.pid.value_or(kNoId);
    track.tid = all.thread.global_tid();
  } else if (track.has_process) {
    track.pid = all.process.pid.value_or(kNoId);
  }
  // Names belong to the ids in the writer's namespace.
  track.pid = packet.resolve(track.pid);
  track.tid = packet.resolve(track.tid);
  return all;
}

bool declare(const PacketInfo& packet, Described& all, Tracks& tracks, EventSink& sink) {
  if (const std::optional<StatId> problem = problem_of(all)) {
    sink.count(*problem, packet.at, {}, packet.machine);
    return false;
  }
  TrackDeclaration& track = all.track;
  Sequence& sequence = *packet.sequence;
  track.is_first_packet = std::exchange(sequence.is_first_packet_due, false);
  tracks.orders_processes |= all.orders_processes;
  tracks.orders_threads |= all.orders_threads;
  if (!tracks.declare(*all.uuid, track)) {
    sink.count(stats::track_descriptor_conflicting_reservation, packet.at, {}, packet.machine);
    return false;
  }
  if (track.has_thread && sequence.is_valid) set_writer(packet, all.thread);
  return true;
}

void emit_declared(const PacketInfo& packet, const Described& all, const Tracks& tracks,
                   Clocks& clocks, EventSink& sink) {
  if (all.track.has_thread)
    emit_thread(packet, all.thread, *all.uuid, sink);
  else if (all.track.has_process)
    emit_process(packet, all.process, *all.uuid, clocks, sink);
  emit_rank(packet, all, tracks, sink);
}

}  // namespace

void read_track_descriptor(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                           Clocks& clocks, EventSink& sink) {
  Described all = describe(packet, message, sink);
  if (declare(packet, all, tracks, sink)) emit_declared(packet, all, tracks, clocks, sink);
}

bool declare_track(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                   EventSink& sink) {
  Described all = describe(packet, message, sink);
  return declare(packet, all, tracks, sink);
}

void read_declared_track(const PacketInfo& packet, std::string_view message, Tracks& tracks,
                         Clocks& clocks, EventSink& sink) {
  const Described all = describe(packet, message, sink);
  tracks.orders_processes |= all.orders_processes;
  tracks.orders_threads |= all.orders_threads;
  tracks.declare(*all.uuid, all.track);
  if (all.track.has_thread && packet.sequence->is_valid) set_writer(packet, all.thread);
  emit_declared(packet, all, tracks, clocks, sink);
}

void read_process_packet(const PacketInfo& packet, std::string_view message, Clocks& clocks,
                         EventSink& sink) {
  ProcessFields process;
  read_process(message, process, sink);
  if (process.pid) emit_process(packet, process, 0, clocks, sink);
}

void read_thread_packet(const PacketInfo& packet, std::string_view message, EventSink& sink) {
  const auto drop = [&](StatId stat) { sink.count(stat, packet.at, {}, packet.machine); };
  if (packet.sequence->id == 0) return drop(stats::thread_descriptor_missing_sequence_id);
  // Its reference times would be those before the loss.
  if (!packet.sequence->is_valid)
    return drop(stats::thread_descriptor_skipped_incremental_state_invalid);
  ThreadFields thread;
  read_thread(message, thread, sink);
  if (!thread.pid || !thread.tid) return;
  emit_thread(packet, thread, 0, sink);
  set_writer(packet, thread);
}

}  // namespace tracebraid::proto
