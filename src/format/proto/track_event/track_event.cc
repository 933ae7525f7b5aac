#include "format/proto/track_event/track_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/saturate.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/proto_wire.h"
#include "format/proto/args/debug_annotations.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"
#include "format/proto/stats.h"
#include "format/proto/track_event/stats.h"

namespace tracebraid::proto {
namespace {

using Type = field::TrackEvent_Type;

constexpr size_t kMaxExtraCounters = 8;  // spec proto 2.2

// The clock of times in the event itself.
constexpr ClockChoice kMonotonic{.domain = field::BuiltinClock::kMonotonic,
                                 .by_default = true,
                                 .on_failure = OnFailure::KeepRaw};

int64_t us_to_ns(int64_t us) {
  int64_t ns = 0;
  if (!__builtin_mul_overflow(us, int64_t{1000}, &ns)) return ns;
  return us < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

}  // namespace

void TrackEventReader::read(const PacketInfo& packet, std::string_view message, Tracks& tracks) {
  Current event{.packet = packet, .message = message, .tracks = tracks, .time = packet.time};
  if (packet.sequence->id == 0) {
    drop(stats::track_event_missing_sequence_id, event);
    return;
  }
  fields_.read(message);
  if (fields_.has_legacy) legacy_ = read_legacy_event(fields_.legacy);
  if (!find_times(event)) return;
  find_track(event);
  if (!emit_extra_counters(event)) return;
  event.name = name_of(event);
  event.category = category_of(event);
  switch (fields_.type) {
    case Type::kCounter:
      if (!emit_counter(event)) return;
      break;
    case Type::kState:
      if (!fields_.track_uuid && !packet.sequence->defaults.track_uuid) {
        drop(stats::track_event_state_missing_track_uuid, event);
        return;
      }
      if (event.uuid)
        emit_slice(event, EventKind::State);
      else
        lose(event);  // threads without a uuid have no states
      break;
    default:
      emit_legacy_counters(event);
      emit(event);
      break;
  }
  if (event.errors > 0) sink_.tally(stats::track_event_parser_errors, event.errors, packet.machine);
}

bool TrackEventReader::drop(StatId stat, const Current& event) {
  sink_.count(stat, event.packet.at, {}, event.packet.machine);
  return false;
}

void TrackEventReader::lose(Current& event) {
  ++event.errors;
  drop(stats::track_event_dropped, event);
}

void TrackEventReader::count_missing(const Current& event) {
  sink_.tally(stats::interned_data_tokenizer_errors, 1, event.packet.machine);
}

// Applies spec proto 2.2, steps 2 and 3: advances the incremental values of the sequence. Returns
// the problem that prevents reading the event, if any.
std::optional<StatId> TrackEventReader::count_times(const PacketInfo& packet,
                                                    OwnTimes& times) const {
  WriterThread& writer = packet.sequence->thread;
  if (fields_.delta_us) {
    if (!writer.has_reference)
      return stats::track_event_skipped_timestamp_delta_without_valid_state;
    add_saturated(writer.reference_us, *fields_.delta_us);
  }
  if (fields_.delta_us || fields_.absolute_us) {
    times.event_ns = us_to_ns(fields_.delta_us ? writer.reference_us : *fields_.absolute_us);
    if (times.event_ns < 0) return stats::track_event_invalid_timestamp;
  } else if (!packet.has_time) {
    return stats::track_event_missing_timestamp;
  }
  if (fields_.thread_delta_us) {
    if (!writer.has_reference)
      return stats::track_event_skipped_thread_time_delta_without_valid_state;
    times.thread.time_ns = us_to_ns(add_saturated(writer.thread_time_us, *fields_.thread_delta_us));
  } else if (fields_.thread_absolute_us) {
    times.thread.time_ns = us_to_ns(*fields_.thread_absolute_us);
  }
  if (fields_.instructions_delta) {
    if (!writer.has_reference)
      return stats::track_event_skipped_thread_instruction_delta_without_valid_state;
    times.thread.instructions = add_saturated(writer.instructions, *fields_.instructions_delta);
  } else if (fields_.instructions_absolute) {
    times.thread.instructions = *fields_.instructions_absolute;
  }
  return std::nullopt;
}

bool TrackEventReader::find_times(Current& event) {
  OwnTimes times;
  if (const std::optional<StatId> problem = count_times(event.packet, times))
    return drop(*problem, event);
  if (times.event_ns != kUnset)
    event.time = clocks_.time(event.packet.machine, kMonotonic, times.event_ns);
  event.times = event.legacy_times = times.thread;
  if (!fields_.own.empty()) read_own_times(event);
  return true;
}

// Reads thread times that are not counters as well.
void TrackEventReader::read_own_times(Current& event) const {
  for (Message fields(fields_.own); fields.next();) {
    if (fields.number() == own::Event::kThreadTime) event.times.time_ns = fields.i64();
    if (fields.number() == own::Event::kInstructions) event.times.instructions = fields.i64();
  }
}

// Applies spec proto 2.4.
void TrackEventReader::find_track(Current& event) {
  const PacketInfo& packet = event.packet;
  WriterThread& writer = packet.sequence->thread;
  if (writer.is_known) {
    if (writer.thread == kNone)
      writer.thread =
          sink_.thread({.machine = packet.machine, .tid = writer.tid, .pid = writer.pid});
    event.writer = writer.thread;
  }
  std::optional<uint64_t> uuid = fields_.track_uuid;
  if (!uuid) uuid = packet.sequence->defaults.track_uuid;
  if (uuid.value_or(0) == 0 && fields_.has_legacy && fields_.type != Type::kCounter &&
      (legacy_.pid_override || (legacy_.tid_override && writer.is_known))) {
    const int64_t pid = legacy_.pid_override ? packet.resolve(*legacy_.pid_override) : writer.pid;
    use_thread(event, pid, legacy_.tid_override ? packet.resolve(*legacy_.tid_override) : -1);
    return;
  }
  // Writers of phases instead of types use 0 for no track.
  const bool says_none = fields_.track_uuid == 0 && fields_.type == 0 && fields_.has_legacy;
  if ((!uuid || says_none) && writer.is_known) {
    event.scope = TrackScope::Thread;
    event.thread = event.writer;
    if (writer.track == kNone) writer.track = event.tracks.thread_track(event.writer);
    event.track = writer.track;
    return;
  }
  event.uuid = uuid.value_or(0);
  TrackEvents kind = TrackEvents::Slice;
  if (fields_.type == Type::kCounter) return;  // its track is looked up by value
  if (fields_.type == Type::kState) kind = TrackEvents::State;
  event.track = event.tracks.slot(*event.uuid, kind, packet.sequence->has_first_packet);
  const Tracks::Owner owner = event.tracks.owner_now(*event.uuid);
  event.scope = owner.scope;
  if (owner.scope == TrackScope::Thread) event.thread = owner.index;
  if (owner.scope == TrackScope::Process) event.process = owner.index;
}

void TrackEventReader::use_thread(Current& event, int64_t pid, int64_t tid) {
  event.scope = TrackScope::Thread;
  event.thread = sink_.thread({.machine = event.packet.machine, .tid = tid, .pid = pid});
  event.track = event.tracks.thread_track(event.thread);
}

const CounterTrack* TrackEventReader::counter_of(uint64_t uuid, Tracks& tracks) {
  const TrackDeclaration* track = tracks.declaration(uuid);
  return track == nullptr || track->kind != TrackEvents::Counter ? nullptr : &track->counter;
}

// Returns a value of a counter: scaled, and accumulated if it is incremental.
double TrackEventReader::count_value(const CounterTrack& counter, uint64_t uuid, double value,
                                     Sequence& sequence) {
  if (counter.multiplier > 0) value *= static_cast<double>(counter.multiplier);
  return counter.is_incremental ? sequence.counters[uuid] += value : value;
}

void TrackEventReader::emit_value(Current& event, uint64_t uuid, double value, uint32_t args) {
  const CounterTrack* const counter = counter_of(uuid, event.tracks);
  if (counter == nullptr) return;
  value = count_value(*counter, uuid, value, *event.packet.sequence);
  constexpr double kFits = 9.2e18;
  const bool fits = value > -kFits && value < kFits;
  if (counter->builtin == BuiltinCounter::ThreadTime && fits)
    event.times.time_ns = static_cast<int64_t>(value);
  if (counter->builtin == BuiltinCounter::InstructionCount && fits)
    event.times.instructions = static_cast<int64_t>(value);
  const uint32_t track =
      event.tracks.slot(uuid, TrackEvents::Counter, event.packet.sequence->has_first_packet);
  sink_.event(make_counter(event.time, track, value, args));
}

// Applies spec proto 2.2, step 4.
std::optional<StatId> TrackEventReader::problem_of_counter(const PacketDefaults& defaults,
                                                           Tracks& tracks) const {
  const std::optional<uint64_t> uuid =
      fields_.track_uuid ? fields_.track_uuid : defaults.track_uuid;
  if (!uuid) return stats::track_event_counter_missing_track_uuid;
  if (!fields_.counter_value) return stats::track_event_counter_missing_value;
  if (counter_of(*uuid, tracks) == nullptr) return stats::track_event_counter_invalid_track_uuid;
  return std::nullopt;
}

bool TrackEventReader::emit_counter(Current& event) {
  if (const auto problem = problem_of_counter(event.packet.sequence->defaults, event.tracks))
    return drop(*problem, event);
  emit_value(event, *event.uuid, *fields_.counter_value, args_of(event));
  return true;
}

TrackEventReader::ExtraCounters TrackEventReader::extra_counters(
    const PacketDefaults& defaults) const {
  return {fields_.counter_uuids.empty() ? defaults.counter_uuids : fields_.counter_uuids,
          fields_.real_counter_uuids.empty() ? defaults.real_counter_uuids
                                             : fields_.real_counter_uuids};
}

// Applies spec proto 2.2, step 6.
std::optional<StatId> TrackEventReader::problem_of_extra(const ExtraCounters& extra,
                                                         Tracks& tracks) const {
  const size_t ints = fields_.counter_values.size(), reals = fields_.real_counter_values.size();
  if ((ints > 0 && extra.uuids.empty()) || (reals > 0 && extra.real_uuids.empty()))
    return stats::track_event_extra_counter_missing_track_uuids;
  if (ints > extra.uuids.size() || reals > extra.real_uuids.size())
    return stats::track_event_extra_counter_track_uuid_mismatch;
  if (ints + reals > kMaxExtraCounters) return stats::track_event_extra_counter_exceeds_max;
  const auto is_counter = [&](uint64_t uuid) { return counter_of(uuid, tracks) != nullptr; };
  if (!std::ranges::all_of(extra.uuids.first(ints), is_counter) ||
      !std::ranges::all_of(extra.real_uuids.first(reals), is_counter))
    return stats::track_event_extra_counter_invalid_track;
  return std::nullopt;
}

template <class Each>
void TrackEventReader::for_each_extra(const ExtraCounters& extra, const Each& each) const {
  for (size_t i = 0; i < fields_.counter_values.size(); ++i)
    each(extra.uuids[i], static_cast<double>(fields_.counter_values[i]));
  for (size_t i = 0; i < fields_.real_counter_values.size(); ++i)
    each(extra.real_uuids[i], fields_.real_counter_values[i]);
}

// Checks all values before emitting any.
bool TrackEventReader::emit_extra_counters(Current& event) {
  if (fields_.counter_values.empty() && fields_.real_counter_values.empty()) [[likely]]
    return true;
  const ExtraCounters extra = extra_counters(event.packet.sequence->defaults);
  if (const auto problem = problem_of_extra(extra, event.tracks)) return drop(*problem, event);
  for_each_extra(extra,
                 [&](uint64_t uuid, double value) { emit_value(event, uuid, value, kNone); });
  return true;
}

void TrackEventReader::skim(const PacketInfo& packet, std::string_view message, Tracks& tracks) {
  fields_.read(message);
  OwnTimes times;
  if (count_times(packet, times)) return;
  if (times.event_ns != kUnset) clocks_.time(packet.machine, kMonotonic, times.event_ns);
  Sequence& sequence = *packet.sequence;
  const auto count = [&](uint64_t uuid, double value) {
    if (const CounterTrack* counter = counter_of(uuid, tracks))
      count_value(*counter, uuid, value, sequence);
  };
  const ExtraCounters extra = extra_counters(sequence.defaults);
  if (problem_of_extra(extra, tracks)) return;
  for_each_extra(extra, count);
  if (fields_.type != Type::kCounter || problem_of_counter(sequence.defaults, tracks)) return;
  count(fields_.track_uuid ? *fields_.track_uuid : *sequence.defaults.track_uuid,
        *fields_.counter_value);
}

// Emits legacy thread times as counters of the thread, too (spec proto 2.7).
void TrackEventReader::emit_legacy_counters(const Current& event) {
  const uint32_t thread = event.thread != kNone ? event.thread : event.writer;
  if (thread == kNone) return;
  const auto emit_one = [&](std::string_view type, std::string_view name, int64_t value) {
    if (value == kUnset) return;
    const uint32_t track = sink_.track({.scope = TrackScope::Thread,
                                        .events = TrackEvents::Counter,
                                        .machine = event.packet.machine,
                                        .owner = thread,
                                        .type = sink_.string(type),
                                        .name = sink_.string(name)});
    sink_.event(make_counter(event.time, track, static_cast<double>(value)));
  };
  emit_one("thread_time", "thread_time", event.legacy_times.time_ns);
  emit_one("thread_instructions", "thread_instruction_count", event.legacy_times.instructions);
}

StringId TrackEventReader::name_of(const Current& event) {
  const uint64_t iid =
      fields_.name_iid != 0 || !fields_.has_legacy ? fields_.name_iid : legacy_.name_iid;
  StringId name;
  if (iid != 0) {
    const StringId* known = event.packet.sequence->find(&InternedData::event_names, iid);
    if (known == nullptr)
      count_missing(event);
    else
      name = *known;
  } else if (fields_.has_name) {
    name = sink_.string(fields_.name);
  }
  return translations_.slice_names.empty() ? name : translated(translations_.slice_names, name);
}

// Applies spec proto 2.5.
StringId TrackEventReader::category_of(const Current& event) {
  const Sequence& sequence = *event.packet.sequence;
  const size_t total = fields_.category_iids.size() + fields_.categories.size();
  if (total == 0) return {};
  if (total == 1) {
    if (!fields_.categories.empty()) return sink_.string(fields_.categories[0]);
    const uint64_t iid = fields_.category_iids[0];
    if (const StringId* known = sequence.find(&InternedData::categories, iid)) return *known;
    count_missing(event);
    return sink_.string(fmt::format("unknown({})", iid));
  }
  text_.clear();
  bool any = false;
  const auto add = [&](std::string_view category) {
    if (std::exchange(any, true)) text_ += ',';
    text_ += category;
  };
  for (const uint64_t iid : fields_.category_iids) {
    if (const StringId* known = sequence.find(&InternedData::categories, iid))
      add(sink_.batch().strings.get(*known));
    else
      count_missing(event);
  }
  for (const std::string_view category : fields_.categories) add(category);
  return sink_.string(text_);
}

}  // namespace tracebraid::proto
