#include "format/json/profile/v8_profiles.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <string>

#include "base/hex.h"
#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/script_frame.h"
#include "format/common/stats.h"
#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {
namespace {

const Dom* member(const Dom* of, std::string_view key) {
  return of == nullptr ? nullptr : of->find(key);
}

std::string_view text_at(const Dom* of, std::string_view key) {
  const Dom* const dom = member(of, key);
  return dom != nullptr && dom->is(Kind::String) ? std::string_view(dom->text) : std::string_view();
}

// Returns a number, or a text with a decimal or hexadecimal number.
std::optional<uint64_t> address_of(const Dom* dom) {
  if (dom == nullptr) return std::nullopt;
  if (dom->is(Kind::Number)) return integral_magnitude(dom->value.number);
  if (!dom->is(Kind::String)) return std::nullopt;
  const std::string_view digits = without_0x(dom->text);
  const bool is_hex = digits.size() != dom->text.size();
  uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, is_hex ? 16 : 10);
  if (error != std::errc() || stop != end || digits.empty()) return std::nullopt;
  return value;
}

Dom args_of(const V8Event& event) {
  Dom args;
  Repairs ignored;
  if (parse_dom(event.args, {}, ignored, args) != Parse::Ok) return {};
  return args;
}

uint32_t thread_of(EventSink& sink, const V8Event& event) {
  ThreadName name;
  name.pid = event.pid;
  name.tid = event.tid;
  return sink.thread(name);
}

struct SampleOf {
  int64_t ts;
  uint32_t thread, clock, callsite;
  std::string_view source, name;
};

void write(EventSink& sink, const SampleOf& sample) {
  SampleExtra extra;
  extra.callsite = sample.callsite;
  extra.rows = SampleRows::JsonAndProfiler;
  const SampleParts parts{.name = sink.string(sample.name), .source = sink.string(sample.source)};
  emit_sample(sink, {sample.ts, sample.clock}, sample.thread, parts, extra);
}

// --- The legacy sampler: addresses, and a map of code.

struct Code {
  uint64_t size = 0;
  std::string name;
};
using CodeMap = std::map<uint64_t, Code>;  // by first address

void apply(const V8Event& event, CodeMap& code) {
  const Dom args = args_of(event);
  const Dom* const data = args.find("data");
  const std::optional<uint64_t> start = address_of(member(data, "code_start"));
  const uint64_t size = address_of(member(data, "code_len")).value_or(0);
  if (!start) return;
  if (event.kind == V8Event::Kind::CodeAdded) {
    code[*start] = {size, std::string(text_at(data, "name"))};
    return;
  }
  const std::optional<uint64_t> from = address_of(member(data, "old_code_start"));
  if (!from) return;
  const auto old = code.find(*from);
  if (old == code.end()) return;
  Code moved = std::move(old->second);
  code.erase(old);
  if (size != 0) moved.size = size;
  code[*start] = std::move(moved);
}

// Parses `<kind>:[~*]<function> <url>:<line>`; lines count from 0.
StackFrame frame_of(EventSink& sink, std::string_view name) {
  const size_t colon = name.find(':');
  if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
  if (name.starts_with('~') || name.starts_with('*')) name.remove_prefix(1);
  std::string_view function = name;
  std::string_view url = "unknown";
  StackFrame frame;
  if (const size_t blank = name.rfind(' '); blank != std::string_view::npos) {
    function = name.substr(0, blank);
    url = name.substr(blank + 1);
    const size_t at = url.rfind(':');
    int64_t line = 0;
    const char* const end = url.data() + url.size();
    if (at != std::string_view::npos &&
        std::from_chars(url.data() + at + 1, end, line).ptr == end && at + 1 < url.size()) {
      frame.line = line - (line > INT64_MIN ? 1 : 0);
      url = url.substr(0, at);
    }
  }
  frame.name = sink.string(function);
  frame.mapping = sink.mapping({.name = sink.string(url)});
  frame.has_symbol = true;
  frame.source_file = sink.string(url);
  return frame;
}

void write_legacy_sample(const V8Event& event, const CodeMap& code, EventSink& sink,
                         uint32_t clock) {
  const Dom args = args_of(event);
  const Dom* const data = args.find("data");
  const Dom* const stack = member(data, "stack");
  uint32_t callsite = kNone;
  const bool is_empty = stack == nullptr || stack->items.empty();
  if (is_empty)
    callsite = sink.callsite(kNone, sink.frame({.name = sink.string(text_at(data, "vm_state"))}));
  // The leaf comes first.
  for (size_t i = is_empty ? 0 : stack->items.size(); i-- > 0;) {
    const std::optional<uint64_t> address = address_of(&stack->items[i]);
    if (!address) continue;
    auto at = code.upper_bound(*address);
    if (at == code.begin()) continue;
    --at;
    if (*address - at->first >= at->second.size) continue;
    callsite = sink.callsite(callsite, sink.frame(frame_of(sink, at->second.name)));
  }
  write(sink, {event.ts, thread_of(sink, event), clock, callsite, "v8_sample", "V8Sample"});
}

// --- Streaming profiles: a tree of nodes, and samples that refer to its nodes.

struct Node {
  std::string parent;
  uint32_t frame = kNone;  // kNone: the root, which is not shown
  uint32_t callsite = kNone;
  enum class State : uint8_t { New, Open, Done } state = State::New;
};

class Profile {
 public:
  Profile(EventSink& sink, uint32_t clock) : sink_(sink), clock_(clock) {}

  void write(std::vector<const V8Event*> events);

 private:
  void add_nodes(const Dom& nodes);
  void add_samples(const Dom* data, const Dom* profile);
  uint32_t callsite(const std::string& id);
  uint32_t frame_of(const Dom& node);

  EventSink& sink_;
  uint32_t clock_;
  uint32_t thread_ = kNone;
  std::optional<int64_t> ts_;  // of the last sample; nothing once the sum of deltas overflows
  std::map<std::string, Node, std::less<>> nodes_;
};

void Profile::write(std::vector<const V8Event*> events) {
  std::ranges::stable_sort(events, {}, [](const V8Event* event) { return event->ts; });
  std::vector<Dom> chunks;
  for (const V8Event* event : events) chunks.push_back(args_of(*event));
  bool is_open = false;
  for (size_t i = 0; i < chunks.size() && !is_open; ++i) {
    const Dom* const start = member(chunks[i].find("data"), "startTime");
    const std::optional<int64_t> ts = start == nullptr ? std::nullopt : ns_of(start->value);
    if (!ts) continue;
    ts_ = ts;
    thread_ = thread_of(sink_, *events[i]);
    is_open = true;
  }
  if (!is_open) {
    sink_.tally(stats::v8_profile_without_start);
    ts_ = events.front()->ts;
    thread_ = thread_of(sink_, *events.front());
  }
  for (const Dom& chunk : chunks) {
    const Dom* const data = chunk.find("data");
    const Dom* const profile = member(data, "cpuProfile");
    for (const Dom* const of : {data, profile})
      if (const Dom* const nodes = member(of, "nodes")) add_nodes(*nodes);
    add_samples(data, profile);
  }
}

void Profile::add_nodes(const Dom& nodes) {
  for (const Dom& node : nodes.items) {
    const Dom* const id = node.find("id");
    if (id == nullptr || !id->value.is_given()) continue;
    const std::string key(id->is(Kind::String) ? std::string_view(id->text) : id->value.raw);
    Node& made = nodes_[key];
    made.frame = frame_of(node);
    if (const Dom* const parent = node.find("parent");
        parent != nullptr && parent->value.is_given())
      made.parent = parent->is(Kind::String) ? std::string_view(parent->text) : parent->value.raw;
    if (const Dom* const children = node.find("children"))
      for (const Dom& child : children->items)
        nodes_[std::string(child.is(Kind::String) ? std::string_view(child.text) : child.value.raw)]
            .parent = key;
  }
}

uint32_t Profile::frame_of(const Dom& node) {
  const Dom* const call = node.find("callFrame");
  const Dom* const line = member(call, "lineNumber");
  return script_frame(
      sink_, {.name = text_at(call, "functionName"),
              .url = text_at(call, "url"),
              .line = line == nullptr ? kNoLine : to_int64(line->value.number).value_or(kNoLine),
              .deopt_reason = text_at(&node, "deoptReason")});
}

// Returns the callsite of a node; breaks a cycle of parents.
uint32_t Profile::callsite(const std::string& id) {
  std::vector<Node*> chain;
  uint32_t parent = kNone;
  for (auto at = nodes_.find(id); at != nodes_.end(); at = nodes_.find(at->second.parent)) {
    if (at->second.state == Node::State::Done) {
      parent = at->second.callsite;
      break;
    }
    if (at->second.state == Node::State::Open) break;
    at->second.state = Node::State::Open;
    chain.push_back(&at->second);
  }
  for (size_t i = chain.size(); i-- > 0;) {
    Node& node = *chain[i];
    node.callsite = node.frame == kNone ? parent : sink_.callsite(parent, node.frame);
    node.state = Node::State::Done;
    parent = node.callsite;
  }
  return parent;
}

void Profile::add_samples(const Dom* data, const Dom* profile) {
  const auto either = [&](std::string_view key) {
    const Dom* const found = member(profile, key);
    return found != nullptr ? found : member(data, key);
  };
  const Dom* const samples = either("samples");
  const Dom* const deltas = either("timeDeltas");
  const size_t sample_count = samples == nullptr ? 0 : samples->items.size();
  const size_t delta_count = deltas == nullptr ? 0 : deltas->items.size();
  if (sample_count != delta_count) sink_.tally(stats::v8_profile_length_mismatch);
  for (size_t i = 0; i < std::min(sample_count, delta_count); ++i) {
    const std::optional<int64_t> delta = to_ns(deltas->items[i].value.number);
    int64_t sum = 0;
    if (!ts_ || !delta || __builtin_add_overflow(*ts_, *delta, &sum)) {
      // No later sample has a time, because times are sums of all deltas before.
      ts_.reset();
      sink_.tally(stats::timestamp_out_of_range);
      continue;
    }
    ts_ = sum;
    const Dom& sample = samples->items[i];
    const std::string id(sample.is(Kind::String) ? std::string_view(sample.text)
                                                 : sample.value.raw);
    if (!nodes_.contains(id)) sink_.tally(stats::v8_profile_unknown_node);
    json::write(sink_, {sum, thread_, clock_, callsite(id), "legacy_v8", "Profile"});
  }
}

}  // namespace

void write_v8_samples(std::span<const V8Event> events, EventSink& sink, uint32_t clock) {
  std::map<int64_t, CodeMap> code;  // by pid
  std::map<std::pair<int64_t, std::string>, std::vector<const V8Event*>> profiles;
  for (const V8Event& event : events) {
    if (event.kind == V8Event::Kind::CodeAdded || event.kind == V8Event::Kind::CodeMoved)
      apply(event, code[event.pid]);
    if (event.kind == V8Event::Kind::Profile) profiles[{event.pid, event.id}].push_back(&event);
  }
  for (const V8Event& event : events)
    if (event.kind == V8Event::Kind::Sample)
      write_legacy_sample(event, code[event.pid], sink, clock);
  for (auto& [key, parts] : profiles) Profile(sink, clock).write(std::move(parts));
}

}  // namespace tracebraid::json
