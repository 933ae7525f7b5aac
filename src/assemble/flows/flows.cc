#include "assemble/flows/flows.h"
#include "assemble/stats.h"
#include "event/event_kind.h"

#include <algorithm>
#include <span>
#include <utility>

namespace tracebraid {

Flows::Flows(DeferredArgs& args, Problems& problems, JoinFlows join, Causality& causality,
             Store& store)
    : args_(args),
      problems_(problems),
      join_(join),
      causality_(causality),
      slices_(store.slices),
      table_(store.flows) {}

void Flows::attach(uint32_t slice, const TrackName& where, const SliceEvent& from, uint32_t first) {
  const std::vector<FlowStep>& steps = from.from->batch.flows;
  const bool json = from.from->batch.tie_rule == TieRule::TraceEventFormat;
  const Scope scope{where.file, where.machine};
  Arrow arrow;
  for (size_t i = first; i < steps.size(); ++i) {
    const FlowStep& step = steps[i];
    // Track events use both kinds of ids for the same flows.
    const Kind bind_kind = json || joins(join_, step.id) ? Kind::BindId : Kind::TrackEvent;
    const Step at{slice, scope, from.event->ts};
    switch (step.kind) {
      case FlowStepKind::Flow:
      case FlowStepKind::Terminating:
        track_event_step(at, key_of(scope, Kind::TrackEvent, step.id),
                         step.kind == FlowStepKind::Terminating);
        break;
      case FlowStepKind::Out:
      case FlowStepKind::Step:
      case FlowStepKind::In:
        bind_step(at, key_of(scope, bind_kind, step.id), step.kind, json);
        break;
      case FlowStepKind::Anchor:
        active_[{scope, Kind::Anchor, step.id}] = {slice};
        break;
      case FlowStepKind::FromAnchor:
        if (const auto anchor = active_.find({scope, Kind::Anchor, step.id});
            anchor != active_.end())
          connect(anchor->second.slice, slice);
        break;
      case FlowStepKind::ArrowOut:
      case FlowStepKind::ArrowIn:
      case FlowStepKind::ArrowId:
      case FlowStepKind::ArrowBack:
        arrow_step(slice, where.file, step, arrow);
        break;
      case FlowStepKind::GpuStage:
      case FlowStepKind::FromGpuStages:
      case FlowStepKind::ToGpuStages:
        gpu_step(at, step);
        break;
      case FlowStepKind::None:
        count(stats::flow_without_direction, at, json);
        break;
    }
    if (step.last) return;
  }
}

void Flows::arrow_step(uint32_t slice, FileId file, const FlowStep& step, Arrow& arrow) {
  const Key key{Scope{file, {}}, Kind::Arrow, step.id};
  if (step.kind == FlowStepKind::ArrowOut) active_[key] = {slice};
  if (step.kind == FlowStepKind::ArrowId) arrow.trace_id = static_cast<int64_t>(step.id);
  if (step.kind == FlowStepKind::ArrowBack) arrow.is_back = true;
  if (step.kind != FlowStepKind::ArrowIn) return;
  const Arrow ended = std::exchange(arrow, {});
  const auto at = active_.find(key);
  if (at == active_.end()) return;
  const uint32_t first = at->second.slice;
  active_.erase(at);
  if (first == kNone || slice == kNone) return;
  add(ended.is_back ? slice : first, ended.is_back ? first : slice, ended.trace_id, OptRow::kNull,
      false);
}

void Flows::gpu_step(const Step& at, const FlowStep& step) {
  GpuStages& stages = gpu_stages_[{at.where, step.id}];
  // A budget bounds the number of flows, because each stage is paired with each slice.
  constexpr uint64_t kMostFlowsPerStep = 16;
  gpu_flows_left_ += kMostFlowsPerStep;
  const auto connect_all = [&](const std::vector<uint32_t>& others, bool are_out) {
    const auto made = static_cast<size_t>(std::min<uint64_t>(others.size(), gpu_flows_left_));
    gpu_flows_left_ -= made;
    for (const uint32_t other : std::span(others).first(made))
      add(are_out ? other : at.slice, are_out ? at.slice : other, OptInt::kNull, OptRow::kNull,
          false);
    if (made < others.size())
      problems_.count(stats::flow_step_dropped, at.where.second, at.where.first, -1,
                      static_cast<int64_t>(others.size() - made));
  };
  switch (step.kind) {
    case FlowStepKind::GpuStage:
      connect_all(stages.waiters, false);
      connect_all(stages.submitters, true);
      stages.slices.push_back(at.slice);
      break;
    case FlowStepKind::FromGpuStages:
      connect_all(stages.slices, true);
      stages.waiters.push_back(at.slice);
      break;
    default:
      connect_all(stages.slices, false);
      stages.submitters.push_back(at.slice);
      break;
  }
}

void Flows::note(const Step& step, const Key& key, bool starts) {
  if (std::get<Scope>(key).first) return;  // an id of one file: nothing to compare
  const bool binds = std::get<Kind>(key) == Kind::BindId;
  const Causality::At at{.kind = binds ? Causality::Kind::BindId : Causality::Kind::TrackEvent,
                         .id = std::get<uint64_t>(key),
                         .scope = step.where,
                         .ts = step.ts,
                         .slice = step.slice};
  starts ? causality_.starts(at) : causality_.ends(at);
}

void Flows::track_event_step(const Step& step, const Key& key, bool terminates) {
  note(step, key, !terminates);
  const auto at = active_.find(key);
  if (at == active_.end()) {
    if (!terminates) active_[key] = {step.slice};
    return;
  }
  add(at->second.slice, step.slice, static_cast<int64_t>(std::get<uint64_t>(key)), OptRow::kNull,
      true);
  if (terminates)
    active_.erase(at);
  else
    at->second.slice = step.slice;
}

void Flows::bind_step(const Step& step, const Key& key, FlowStepKind kind, bool json) {
  const auto at = active_.find(key);
  const bool is_active = at != active_.end();
  if (kind != FlowStepKind::Step) note(step, key, kind == FlowStepKind::Out);
  if (kind == FlowStepKind::Out) {
    // JSON: after a consumer has come, another producer starts a new flow.
    if (is_active && !(json && at->second.was_consumed))
      count(stats::flow_duplicate_id, step, json);
    else
      active_[key] = {step.slice};
    return;
  }
  if (!is_active) {
    const bool steps = kind == FlowStepKind::Step;
    count(steps ? stats::flow_step_without_start : stats::flow_end_without_start, step, json);
    if (steps && json) active_[key] = {step.slice};
    return;
  }
  add(at->second.slice, step.slice, static_cast<int64_t>(std::get<uint64_t>(key)), OptRow::kNull,
      true);
  if (kind == FlowStepKind::Step)
    at->second = {step.slice};
  else
    at->second.was_consumed = true;
}

void Flows::connect(uint32_t slice_out, uint32_t slice_in) {
  if (slice_out == kNone || slice_in == kNone) return;
  add(slice_out, slice_in, OptInt::kNull, OptRow::kNull, true);
}

void Flows::legacy(uint32_t track_row, uint32_t enclosing, const TrackName& where,
                   const Event& event) {
  const Scope scope{where.file, where.machine};
  Legacy& flow = legacy_[legacy_flow(scope, event)];
  if (event.what() == EventKind::FlowEnd) {
    waiting_[track_row].push_back({static_cast<uint32_t>(&flow - legacy_.data()), scope});
    return;
  }
  if (enclosing == kNone) return count(stats::flow_no_enclosing_slice, scope);
  const bool is_active = flow.slice != kNone;
  switch (event.what()) {
    case EventKind::FlowStart:
      if (is_active) return count(stats::flow_duplicate_id, scope);
      flow.slice = enclosing;
      break;
    case EventKind::FlowStep:
      if (!is_active) {
        count(stats::flow_step_without_start, scope);
        return count(stats::flow_step_dropped, scope);
      }
      add_legacy(flow, enclosing, true);
      flow.slice = enclosing;
      break;
    default:
      if (!is_active) return count(stats::flow_end_without_start, scope);
      add_legacy(flow, enclosing, true);
      break;
  }
}

uint32_t Flows::legacy_flow(Scope where, const Event& event) {
  const LegacyKey key{where, event.value, event.category, event.name};
  const auto [at, is_new] = legacy_indexes_.try_emplace(key, static_cast<uint32_t>(legacy_.size()));
  if (is_new) legacy_.push_back({legacy_counts_[where]++, event.name, event.category});
  return at->second;
}

void Flows::add_legacy(const Legacy& flow, uint32_t slice_in, bool by_time) {
  ArgsBuilder& args = args_.open();
  if (flow.name) args.add_text("name", flow.name);
  if (flow.category) args.add_text("cat", flow.category);
  add(flow.slice, slice_in, flow.number, args.close(), by_time);
}

void Flows::end_waiting(uint32_t track_row, uint32_t slice) {
  const auto at = waiting_.find(track_row);
  if (at == waiting_.end()) return;
  const std::vector<Waiting> flows = std::move(at->second);
  waiting_.erase(at);
  for (const Waiting& waiting : flows) {
    const Legacy& flow = legacy_[waiting.flow];
    if (flow.slice == kNone)
      count(stats::flow_end_without_start, waiting.where);
    else
      add_legacy(flow, slice, false);
  }
}

void Flows::add(uint32_t slice_out, uint32_t slice_in, int64_t trace_id, uint32_t arg_set_id,
                bool by_time) {
  if (by_time && slices_.ts[slice_in] < slices_.ts[slice_out]) std::swap(slice_out, slice_in);
  table_.slice_out.append(slice_out);
  table_.slice_in.append(slice_in);
  table_.trace_id.append({trace_id});
  table_.arg_set_id.append({arg_set_id});
}

}  // namespace tracebraid
