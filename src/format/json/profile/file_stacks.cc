#include "format/json/profile/file_stacks.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/hex.h"
#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/stats.h"
#include "format/json/profile/callsites.h"
#include "format/json/profile/v8_profiles.h"
#include "format/json/stats.h"
#include "format/json/trace_event/ids.h"

namespace tracebraid::json {
namespace {

bool read_text(const Dom* dom, std::string& text) {
  if (dom == nullptr || (!dom->is(Kind::String) && !dom->is(Kind::Number))) return false;
  text = dom->is(Kind::String) ? std::string_view(dom->text) : dom->value.raw;
  return true;
}

// Reads a frame id, in which 7.0 is the frame 7.
bool read_frame_id(const Dom* dom, std::string& text) {
  if (!read_text(dom, text)) return false;
  if (dom->is(Kind::Number)) text = canonical_id(dom->value)->spelling;
  return true;
}

int64_t read_address(const Dom* dom) {
  if (dom == nullptr) return 0;
  if (dom->is(Kind::Number)) return to_int64(dom->value.number).value_or(0);
  const std::string_view digits = without_0x(dom->text);
  uint64_t address = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  return static_cast<int64_t>(address);
}

StackFrame frame_of(EventSink& sink, const FrameFact& fact) {
  StackFrame frame;
  frame.name = sink.string(fact.name);
  frame.mapping = sink.mapping({.name = sink.string(fact.category)});
  frame.rel_pc = fact.address;
  frame.line = fact.line;
  if (!fact.file.empty()) frame.source_file = sink.string(fact.file);
  frame.has_symbol = !fact.file.empty() || fact.line != kNoLine;
  return frame;
}

}  // namespace

void FileStacks::add_frame(int64_t scope, std::string_view id, std::string_view json) {
  Dom dom;
  Repairs ignored;
  if (parse_dom(json, {}, ignored, dom) == Parse::Ok) add_frame(scope, id, dom);
}

void FileStacks::add_frame(int64_t scope, std::string_view id, const Dom& dom) {
  if (!dom.is(Kind::Object)) return;
  FrameFact fact;
  read_text(dom.find("name"), fact.name);
  read_text(dom.find("category"), fact.category);
  read_text(dom.find("file"), fact.file);
  fact.has_parent = read_frame_id(dom.find("parent"), fact.parent);
  if (const Dom* const line = dom.find("line"); line != nullptr && line->is(Kind::Number))
    fact.line = to_int64(line->value.number).value_or(kNoLine);
  fact.address = read_address(dom.find("address"));
  by_id_[{scope, std::string(id)}] = static_cast<uint32_t>(frames_.size());
  frames_.push_back(std::move(fact));
  scopes_.push_back(scope);
}

void FileStacks::settle(ChunkStacks&& stacks, EventBatch& batch, const FinalId& final_id) {
  for (const ThreadName& name : batch.threads) {
    if (name.pid == kNoId) continue;
    pids_.try_emplace(name.tid, name.pid);
    processes_.insert(name.pid);
  }
  for (const auto& [pid, json] : stacks.frames) {
    Dom args;
    Repairs ignored;
    if (parse_dom(json, {}, ignored, args) != Parse::Ok) continue;
    const Dom* const frames = args.find("stackFrames");
    if (frames == nullptr) continue;
    for (const DomMember& member : frames->members)
      add_frame(final_id(pid), member.key, member.value);
  }
  for (V8Event& event : stacks.v8) {
    event.pid = final_id(event.pid);
    event.tid = final_id(event.tid);
    v8_.push_back(std::move(event));
  }
  if (stacks.refs.empty()) return;
  for (StackRef& ref : stacks.refs) ref.pid = final_id(ref.pid);
  chunks_.push_back({&batch, std::move(stacks.refs)});
}

uint32_t FileStacks::find(int64_t pid, const std::string& id) const {
  for (const int64_t scope : {pid, kNoId})
    if (const auto at = by_id_.find({scope, id}); at != by_id_.end()) return at->second;
  return kNone;
}

void FileStacks::resolve_parents(EventSink& sink) {
  parents_.assign(frames_.size(), kNone);
  in_cycle_.assign(frames_.size(), false);
  for (uint32_t i = 0; i < frames_.size(); ++i) {
    if (!frames_[i].has_parent) continue;
    parents_[i] = find(scopes_[i], frames_[i].parent);
    if (parents_[i] == kNone) sink.tally(stats::json_metadata_error);
  }
}

// `callsites` caches the callsites of the frames for this sink.
uint32_t FileStacks::callsite(EventSink& sink, uint32_t frame, std::vector<uint32_t>& callsites) {
  const ChainEnd end = add_chain(
      sink, frame, [&](uint32_t at) { return parents_[at]; },
      [&](uint32_t at) { return sink.frame(frame_of(sink, frames_[at])); }, callsites);
  if (end.is_cut) {
    if (!in_cycle_[frame]) sink.tally(stats::json_stack_frame_cycle);
    in_cycle_[frame] = true;
  }
  return end.callsite;
}

void FileStacks::resolve(Chunk& chunk, EventSink& counts) {
  EventSink sink(*chunk.batch);
  StackTables& stacks = chunk.batch->stacks;
  std::vector<uint32_t> callsites(frames_.size(), kNone);
  absl::flat_hash_map<std::pair<int64_t, StringId>, uint32_t> found;
  for (const StackRef& ref : chunk.refs) {
    const auto [at, is_new] = found.try_emplace({ref.pid, ref.frame}, kNone);
    if (is_new) {
      const uint32_t frame = find(ref.pid, std::string(chunk.batch->strings.get(ref.frame)));
      if (frame != kNone) at->second = callsite(sink, frame, callsites);
    }
    if (at->second == kNone) {
      counts.tally(stats::json_stack_frame_missing);
      continue;
    }
    switch (ref.to) {
      case StackRef::To::SliceBegin:
        stacks.slice_stacks[ref.index].callsite = at->second;
        break;
      case StackRef::To::SliceEnd:
        stacks.slice_stacks[ref.index].end_callsite = at->second;
        break;
      case StackRef::To::Flow:
        chunk.batch->flow_extras[ref.index].callsite = at->second;
        break;
      case StackRef::To::Sample:
        stacks.samples[ref.index].callsite = at->second;
        break;
      case StackRef::To::Heap:
        chunk.batch->memory.heap_entries[ref.index].callsite = at->second;
        break;
    }
  }
}

void FileStacks::write_sample(const Dom& sample, EventSink& sink, uint32_t clock, bool has_events,
                              std::vector<uint32_t>& callsites,
                              const std::function<int64_t(const std::string&)>& number_for) {
  const auto number = [&](std::string_view key) -> std::optional<int64_t> {
    const Dom* const dom = sample.find(key);
    if (dom == nullptr) return std::nullopt;
    if (dom->is(Kind::Number)) return truncated(dom->value.number);
    if (!dom->is(Kind::String)) return std::nullopt;
    if (const std::optional<Number> spelled = number_in(dom->text)) return truncated(*spelled);
    return number_for(dom->text);
  };
  const Dom* const time = sample.find("ts");
  std::optional<Number> micros;
  if (time != nullptr && time->is(Kind::Number)) micros = time->value.number;
  if (time != nullptr && time->is(Kind::String)) micros = number_in(time->text);
  const std::optional<int64_t> ts = micros ? to_ns(*micros) : std::nullopt;
  const std::optional<int64_t> tid = number("tid");
  if (!ts || !tid) {
    sink.count(stats::json_parser_failure);
    return sink.count(stats::json_record_invalid);
  }

  ThreadName thread;
  thread.tid = *tid;
  const std::optional<int64_t> pid = number("pid");
  if (pid && processes_.contains(*pid)) {
    thread.pid = *pid;
  } else if (const auto at = pids_.find(*tid); at != pids_.end()) {
    thread.pid = at->second;
  } else {
    thread.pid = pid.value_or(*tid);
    pids_.try_emplace(*tid, thread.pid);
    if (has_events) sink.tally(stats::json_sample_unknown_tid);
  }
  SampleExtra extra;
  extra.rows = SampleRows::Json;
  extra.cpu = number("cpu").value_or(-1);
  std::string frame;
  if (read_frame_id(sample.find("sf"), frame)) {
    const uint32_t found = find(thread.pid, frame);
    if (found != kNone)
      extra.callsite = callsite(sink, found, callsites);
    else
      sink.tally(stats::json_stack_frame_missing);
  } else if (const Dom* const stack = sample.find("stack")) {
    extra.callsite = callsite_of(sink, *stack);
  }
  double weight = 1;
  if (const Dom* const dom = sample.find("weight"); dom != nullptr && dom->is(Kind::Number))
    weight = to_double(dom->value.number, dom->value.raw);
  const uint32_t of = sink.thread(thread);
  SampleParts parts{.weight = weight};
  std::string name;
  if (read_text(sample.find("name"), name)) parts.name = sink.string(name);
  parts.source = sink.string("samples");
  emit_sample(sink, {*ts, clock}, of, parts, extra);
}

void FileStacks::write(EventSink& sink, uint32_t clock, bool has_events,
                       const std::function<int64_t(const std::string&)>& number_for) {
  resolve_parents(sink);
  for (Chunk& chunk : chunks_) resolve(chunk, sink);
  std::vector<uint32_t> callsites(frames_.size(), kNone);
  for (const std::string& json : samples_) {
    Dom sample;
    Repairs ignored;
    if (parse_dom(json, {}, ignored, sample) == Parse::Ok) {
      write_sample(sample, sink, clock, has_events, callsites, number_for);
    } else {
      sink.count(stats::json_parser_failure, kNoOffset, json);
      sink.count(stats::json_record_invalid, kNoOffset, json);
    }
  }
  write_v8_samples(v8_, sink, clock);
}

}  // namespace tracebraid::json
