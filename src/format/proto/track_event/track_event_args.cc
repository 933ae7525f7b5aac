// Args and flows of a TrackEvent (spec proto 2.8, 3.4).
#include <fmt/format.h>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/args/debug_annotations.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/samples.h"
#include "format/proto/profile/stacks.h"
#include "format/proto/recording/own.h"
#include "format/proto/stats.h"
#include "format/proto/track_event/interned_values.h"
#include "format/proto/track_event/stats.h"
#include "format/proto/track_event/track_event.h"

namespace tracebraid::proto {
namespace {

constexpr int64_t kDefaultLogPriority = 4;  // info

}  // namespace

uint32_t TrackEventReader::args_of(Current& event) {
  if (has_framework_event(fields_)) {
    add_framework_event(event);
    return kNone;
  }
  sink_.open_args();
  add_args(event);
  return sink_.close_args();
}

void TrackEventReader::add_args(Current& event) {
  if (fields_.source_location_iid != 0) add_source_location(event);
  if (!fields_.task_execution.empty()) {
    uint64_t iid = 0;
    for (Message fields(fields_.task_execution); fields.next();)
      if (fields.number() == field::TaskExecution::kPostedFromIid) iid = fields.u64();
    if (const auto* location = event.packet.sequence->find(&InternedData::source_locations, iid)) {
      add_location(*location, "task.posted_from");
    } else {
      count_missing(event);
      ++event.errors;
    }
  }
  if (fields_.has_log_message) add_log_message(event);
  for (const Message& value : fields_.typed)
    if (value.number() == field::TrackEvent::kChromeHistogramSample)
      add_histogram_name(event, value.message());
  if (fields_.correlation_id || fields_.correlation_iid || fields_.has_correlation_text)
    add_correlation(event);
  const char phase = fields_.has_legacy && fields_.type == 0 ? legacy_.phase : '\0';
  if (is_async_phase(phase))
    add_int("legacy_trace_source_id", static_cast<int64_t>(legacy_.any_id().value_or(0)), sink_);
  arrays_.clear();
  if (!fields_.typed.empty()) add_typed(event);
  if (fields_.has_annotations) add_annotations(event);
  for (Message fields(fields_.own); fields.next();)
    if (fields.number() == own::Event::kArg) own::add_arg(fields.message(), sink_);
  add_legacy_args(event);
  if (phase == 'R' || phase == 'S' || phase == 'T' || phase == 'p')
    add_text("legacy_event.phase", std::string_view(&phase, 1), sink_);
}

void TrackEventReader::add_source_location(Current& event) {
  const auto* location =
      event.packet.sequence->find(&InternedData::source_locations, fields_.source_location_iid);
  if (location == nullptr) {
    count_missing(event);
    ++event.errors;
  } else {
    add_location(*location, "source");
  }
}

void TrackEventReader::add_location(const SourceLocationText& location, std::string_view prefix) {
  const std::string root(prefix);
  if (location.file) add_text(root + ".file_name", location.file, sink_);
  if (location.function) add_text(root + ".function_name", location.function, sink_);
  add_int(root + ".line_number", location.line, sink_, ArgType::Uint);  // 0 if not given
}

// Adds both args of the event, and a row of the log.
void TrackEventReader::add_log_message(Current& event) {
  using Field = field::LogMessage;
  uint64_t body_iid = 0, location_iid = 0;
  std::optional<int64_t> priority;
  for (Message fields(fields_.log_message); fields.next();) {
    if (fields.number() == Field::kBodyIid) body_iid = fields.u64();
    if (fields.number() == Field::kSourceLocationIid) location_iid = fields.u64();
    if (fields.number() == Field::kPrio) priority = fields.i32();
  }
  const Sequence& sequence = *event.packet.sequence;
  const StringId* body = sequence.find(&InternedData::log_bodies, body_iid);
  const auto* location = sequence.find(&InternedData::source_locations, location_iid);
  const bool misses_location = location_iid != 0 && location == nullptr;
  if (event.thread == kNone || body == nullptr || misses_location) {
    if (body == nullptr || misses_location) count_missing(event);
    ++event.errors;
    return;
  }
  const std::string root = "track_event.log_message";
  add_text(root + ".message", *body, sink_);
  StringId tag;
  if (location != nullptr) {
    const auto text = [&](StringId id) {
      return id ? sink_.batch().strings.get(id) : std::string_view();
    };
    tag = sink_.string(fmt::format("{}:{}", text(location->file), location->line));
    if (location->file) add_text(root + ".file_name", location->file, sink_);
    add_text(root + ".function_name", location->function ? location->function : sink_.string(""),
             sink_);
    add_int(root + ".line_number", location->line, sink_);  // 0 if not given
  }
  if (priority) add_int("track_event.priority", *priority, sink_);

  sink_.event(make_log(event.time, {.thread = event.thread,
                                    .message = *body,
                                    .tag = tag,
                                    .priority = priority.value_or(kDefaultLogPriority),
                                    .source = sink_.string("android_logcat")}));
}

// Adds the thread that wrote an event of another track, except the default track.
void TrackEventReader::add_legacy_args(const Current& event) {
  if (event.writer == kNone || event.scope == TrackScope::Thread || event.uuid == 0) return;
  const EventBatch& batch = sink_.batch();
  if (event.process != kNone &&
      batch.processes[event.process].pid != batch.threads[event.writer].pid)
    return;
  add_int("legacy_event.passthrough_utid", event.writer, sink_, ArgType::ThreadUint);
}

void TrackEventReader::add_correlation(Current& event) {
  if (fields_.correlation_id) {
    add_text("correlation_id", fmt::format("tp:#{}", *fields_.correlation_id), sink_);
  } else if (fields_.has_correlation_text) {
    add_text("correlation_id", fields_.correlation_text, sink_);
  } else if (const StringId* text = event.packet.sequence->find(&InternedData::correlation_ids,
                                                                *fields_.correlation_iid)) {
    add_text("correlation_id", *text, sink_);
  } else {
    count_missing(event);
    ++event.errors;
  }
}

void TrackEventReader::add_typed(Current& event) {
  using Field = field::TrackEvent;
  constexpr uint32_t kFirstExtension = 1000;
  InternedValues interned(event.packet, pool_);
  const auto add_interned = [&](const FieldDescriptor& field, const Message& value, ArgPath& path,
                                int depth) {
    return interned.add(field, value, path, depth, arrays_, sink_);
  };
  const AddField add_own = add_interned;
  for (const Message& value : fields_.typed) {
    if (value.number() == Field::kSourceLocationIid) {
      add_int("source_location_iid", value.i64(), sink_, ArgType::Uint);
      continue;
    }
    const FieldDescriptor* field = pool_.field("perfetto.protos.TrackEvent", value.number());
    if (field == nullptr) {
      if (value.number() >= kFirstExtension)
        sink_.count(stats::unknown_extension_fields, event.packet.at, {}, event.packet.machine);
      continue;
    }
    ArgPath path("");
    add_field_args(pool_, *field, value, path, arrays_, sink_, &add_own);
    if (value.number() == Field::kChromeUserEvent) add_user_action(value.message());
    if (value.number() == Field::kChromeHashedPerformanceMark) {
      using Mark = tracebraid::proto::field::ChromeHashedPerformanceMark;
      const std::string root = "chrome_hashed_performance_mark.";
      add_hashed(value.message(), Mark::kSiteHash, translations_.mark_sites, root + "site");
      add_hashed(value.message(), Mark::kMarkHash, translations_.marks, root + "mark");
    }
    if (value.number() == Field::kChromeActiveProcesses ||
        value.number() == Field::kActiveProcesses)
      add_active_processes(event, value.message());
  }
  event.errors += interned.errors();
}

// Samples name their histogram by number, or by a hash.
void TrackEventReader::add_histogram_name(const Current& event, Message sample) {
  using Field = field::ChromeHistogramSample;
  StringId name;
  while (sample.next()) {
    if (sample.number() == Field::kNameIid)
      if (const StringId* known =
              event.packet.sequence->find(&InternedData::histogram_names, sample.u64()))
        name = *known;
    if (sample.number() == Field::kNameHash)
      if (const auto at = translations_.histograms.find(sample.u64());
          at != translations_.histograms.end())
        name = at->second;
    if (sample.number() == Field::kName) return;
  }
  if (name) add_text("chrome_histogram_sample.name", name, sink_);
}

void TrackEventReader::add_user_action(Message action) {
  using Field = field::ChromeUserEvent;
  StringId name;
  while (action.next()) {
    if (action.number() == Field::kActionHash)
      if (const auto at = translations_.user_actions.find(action.u64());
          at != translations_.user_actions.end())
        name = at->second;
    if (action.number() == Field::kAction) return;
  }
  if (name) add_text("chrome_user_event.action", name, sink_);
}

// Adds the text for a hash.
void TrackEventReader::add_hashed(Message message, uint32_t hash_field,
                                  const absl::flat_hash_map<uint64_t, StringId>& names,
                                  std::string_view key) {
  while (message.next()) {
    if (message.number() != hash_field) continue;
    if (const auto at = names.find(message.u64()); at != names.end())
      add_text(key, at->second, sink_);
  }
}

// Creates the active processes.
void TrackEventReader::add_active_processes(const Current& event, Message processes) {
  while (processes.next()) {
    if (processes.number() != field::ChromeActiveProcesses::kPid) continue;
    for_each_varint(processes, [&](uint64_t pid) {
      const uint32_t process =
          sink_.process({.machine = event.packet.machine, .pid = static_cast<int32_t>(pid)});
      sink_.event(make_process_seen(event.time, process, SeenProcess::Listed));
    });
  }
}

void TrackEventReader::add_annotations(Current& event) {
  for (Message fields(event.message); fields.next();)
    if (fields.number() == field::TrackEvent::kDebugAnnotations)
      event.errors +=
          read_debug_annotation(fields.bytes(), event.packet.machine,
                                event.packet.sequence->interned.get(), pool_, arrays_, sink_);
}

// Applies spec proto 2.9.
uint32_t TrackEventReader::stack_of(const Current& event) {
  if (!fields_.has_callstack && !fields_.callstack_iid) return kNone;
  std::optional<uint64_t> end;
  for (Message parts(fields_.own); parts.next();) {
    if (parts.number() == own::Event::kIsStackTold) return kNone;
    if (parts.number() == own::Event::kEndCallstack) end = parts.u64();
  }
  uint32_t callsite = kNone;
  if (fields_.has_callstack) {
    callsite = inline_callsite(Message(fields_.callstack), sink_);
  } else {
    const std::unique_ptr<InternedData>& interned = event.packet.sequence->interned;
    std::optional<uint32_t> found;
    if (interned && interned->stacks)
      found = interned->stacks->callsite(*fields_.callstack_iid, event.packet.machine, sink_);
    if (!found) {
      sink_.tally(stats::track_event_parser_errors, 1, event.packet.machine);
      return kNone;
    }
    callsite = *found;
  }
  SliceStack stack;
  (fields_.type == field::TrackEvent_Type::kSliceEnd ? stack.end_callsite : stack.callsite) =
      callsite;
  if (end) stack.end_callsite = find_callsite(event.packet, *end, sink_);
  if (fields_.callstack_weight) stack.weight = *fields_.callstack_weight;
  std::vector<SliceStack>& all = sink_.batch().stacks.slice_stacks;
  all.push_back(stack);
  return static_cast<uint32_t>(all.size() - 1);
}

uint32_t TrackEventReader::extra_of(const Current& event, int64_t thread_dur,
                                    int64_t instruction_delta) {
  const uint32_t flows = add_flows();
  SliceExtra extra{.flows = flows};
  if (event.scope == TrackScope::Thread || !fields_.own.empty()) {
    extra.thread_ts = event.times.time_ns;
    extra.instruction_count = event.times.instructions;
    read_own_lengths(thread_dur, instruction_delta);
    if (extra.thread_ts != kUnset) extra.thread_dur = thread_dur;
    if (extra.instruction_count != kUnset) extra.instruction_delta = instruction_delta;
  }
  extra.stack = stack_of(event);
  if (flows == kNone && extra.thread_ts == kUnset && extra.instruction_count == kUnset &&
      extra.stack == kNone)
    return kNone;
  sink_.batch().slice_extras.push_back(extra);
  return static_cast<uint32_t>(sink_.batch().slice_extras.size() - 1);
}

void TrackEventReader::read_own_lengths(int64_t& thread_dur, int64_t& instruction_delta) const {
  for (Message fields(fields_.own); fields.next();) {
    if (fields.number() == own::Event::kThreadDur) thread_dur = fields.i64();
    if (fields.number() == own::Event::kInstructionDelta) instruction_delta = fields.i64();
  }
}

// Adds an arrow of our exporter, before the step that ends it.
void TrackEventReader::add_own_arrow(uint64_t flow) {
  for (Message fields(fields_.own); fields.next();) {
    if (fields.number() != own::Event::kArrow) continue;
    uint64_t id = 0;
    std::optional<uint64_t> trace_id;
    bool is_back = false;
    for (Message parts = fields.message(); parts.next();) {
      if (parts.number() == own::Arrow::kFlow) id = parts.u64();
      if (parts.number() == own::Arrow::kTraceId) trace_id = parts.u64();
      if (parts.number() == own::Arrow::kIsBack) is_back = parts.flag();
    }
    if (id != flow) continue;
    std::vector<FlowStep>& all = sink_.batch().flows;
    if (trace_id) all.push_back({*trace_id, FlowStepKind::ArrowId, false});
    if (is_back) all.push_back({flow, FlowStepKind::ArrowBack, false});
    return;
  }
}

uint32_t TrackEventReader::add_flows() {
  std::vector<FlowStep>& all = sink_.batch().flows;
  const size_t first = all.size();
  const auto add = [&](const std::vector<uint64_t>& ids, const std::vector<uint64_t>& old_ids,
                       FlowStepKind kind) {
    const bool starts = kind == FlowStepKind::Flow;
    for (const uint64_t id : ids.empty() ? old_ids : ids) {
      const bool is_own = fields_.has_anchors && (id & own::kAnchor) != 0;
      if (is_own && !starts) add_own_arrow(id);
      const FlowStepKind arrow = starts ? FlowStepKind::ArrowOut : FlowStepKind::ArrowIn;
      all.push_back({id, is_own ? arrow : kind, false});
    }
  };
  if (fields_.has_legacy && legacy_.bind_id != 0) {
    using Direction = field::TrackEvent_LegacyEvent_FlowDirection;
    FlowStepKind kind = FlowStepKind::None;
    if (legacy_.flow_direction == Direction::kOut) kind = FlowStepKind::Out;
    if (legacy_.flow_direction == Direction::kInout) kind = FlowStepKind::Step;
    if (legacy_.flow_direction == Direction::kIn) kind = FlowStepKind::In;
    all.push_back({legacy_.bind_id, kind, false});
  }
  for (const Message& value : fields_.typed) {
    if (value.number() != field::TrackEvent::kGpuCorrelation) continue;
    for (Message ids = value.message(); ids.next();) {
      const bool submits = ids.number() == field::GpuCorrelation::kRenderStageSubmissionEventIds;
      if (!submits && ids.number() != field::GpuCorrelation::kRenderStageWaitEventIds) continue;
      for_each_varint(ids, [&](uint64_t id) {
        all.push_back(
            {id, submits ? FlowStepKind::ToGpuStages : FlowStepKind::FromGpuStages, false});
      });
    }
  }
  add(fields_.flows, fields_.old_flows, FlowStepKind::Flow);
  add(fields_.ended_flows, fields_.old_ended_flows, FlowStepKind::Terminating);
  if (all.size() == first) return kNone;
  all.back().last = true;
  return static_cast<uint32_t>(first);
}

}  // namespace tracebraid::proto
