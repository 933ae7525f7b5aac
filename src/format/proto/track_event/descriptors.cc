#include "format/proto/track_event/descriptors.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"
#include "format/proto/track_event/counter_descriptor.h"
#include "format/proto/track_event/process_descriptor.h"
#include "format/proto/track_event/stats.h"
#include "format/proto/track_event/thread_descriptor.h"

namespace tracebraid::proto {
namespace {

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

// The fields of a TrackDescriptor.
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
      case own::kThreadField:
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

// Returns the stat of the first problem that makes the descriptor unusable.
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

// Emits the rank as an arg of the process or thread if their tracks are ordered by rank.
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

// Reads a TrackDescriptor, with ids resolved as the writer means them.
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

enum class Declared : uint8_t { Yes, Invalid, Conflicts };

// Counts invalid descriptors, but not conflicts.
Declared declare(const PacketInfo& packet, const Described& all, Tracks& tracks, EventSink& sink) {
  if (const std::optional<StatId> problem = problem_of(all)) {
    sink.count(*problem, packet.at, {}, packet.machine);
    return Declared::Invalid;
  }
  const TrackDeclaration& track = all.track;
  tracks.orders_processes |= all.orders_processes;
  tracks.orders_threads |= all.orders_threads;
  if (!tracks.declare(*all.uuid, track)) return Declared::Conflicts;
  if (track.has_thread && packet.sequence->is_valid) set_writer(packet, all.thread);
  return Declared::Yes;
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
  const Described all = describe(packet, message, sink);
  const Declared declared = declare(packet, all, tracks, sink);
  if (declared == Declared::Yes) emit_declared(packet, all, tracks, clocks, sink);
  if (declared != Declared::Conflicts) return;
  sink.count(stats::track_descriptor_conflicting_reservation, packet.at, {}, packet.machine);
  // Only the track is ignored: the thread still is that of the writer.
  if (!all.track.has_thread) return;
  emit_thread(packet, all.thread, 0, sink);
  if (packet.sequence->is_valid) set_writer(packet, all.thread);
}

std::optional<bool> declare_track(const PacketInfo& packet, std::string_view message,
                                  Tracks& tracks, EventSink& sink) {
  const Described all = describe(packet, message, sink);
  const Declared declared = declare(packet, all, tracks, sink);
  if (declared == Declared::Conflicts) return std::nullopt;
  return declared == Declared::Yes;
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

}  // namespace tracebraid::proto
