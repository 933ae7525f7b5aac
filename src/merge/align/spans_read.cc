// Reads spans of services from args.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "base/words.h"
#include "event/event_kind.h"
#include "event/flow_join.h"
#include "merge/align/call_args.h"
#include "merge/align/hash.h"
#include "merge/align/spans.h"

namespace tracebraid::align {
namespace {

using SpanKind = ServiceSpan::Kind;

constexpr size_t kMostSpans = 1 << 20;  // of a file
constexpr size_t kTraceDigits = 32, kSpanDigits = 16;

enum SpanField : uint8_t { kTraceId, kSpanId, kParentId, kKindOfSpan, kTraceParent, kNoField };

// Returns the field of the key of an arg, such as args.parentSpanId or debug.parent_span_id.
SpanField field_of(std::string_view key) {
  const std::string plain = plain_key(key);
  constexpr std::array<std::pair<std::string_view, SpanField>, 7> kFields{{
      {"traceid", kTraceId},
      {"spanid", kSpanId},
      {"parentspanid", kParentId},
      {"parentid", kParentId},
      {"spankind", kKindOfSpan},
      {"kind", kKindOfSpan},
      {"traceparent", kTraceParent},
  }};
  const auto at =
      std::ranges::find(kFields, std::string_view(plain), [](const auto& f) { return f.first; });
  return at == kFields.end() ? kNoField : at->second;
}

// Returns the number that `text` writes in hexadecimal digits; nothing if it has others.
std::optional<uint64_t> hex(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct TraceId {
  uint64_t hash = 0;
  bool is_global = false;
};

// Returns nothing for a text that is no id, and for zero.
std::optional<TraceId> trace_id(std::string_view text) {
  if (text.size() != kTraceDigits && text.size() != kSpanDigits) return std::nullopt;
  const std::optional<uint64_t> low = hex(text.substr(text.size() - kSpanDigits));
  const std::optional<uint64_t> high =
      text.size() == kTraceDigits ? hex(text.substr(0, kSpanDigits)) : 0;
  if (!low || !high || (*low == 0 && *high == 0)) return std::nullopt;
  return TraceId{mix(mix(1, *high), *low), is_evidently_global(*low) || is_evidently_global(*high)};
}

class SpanReader {
 public:
  SpanReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
             ServiceSpans& all)
      : batches_(batches), first_(first), all_(all), recordings_(file.file, all.recordings) {}

  void read() {
    const size_t before = all_.spans.size();
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
    keep_some(before, kMostSpans, [](const ServiceSpan& s) { return s.trace; }, all_.spans);
  }

 private:
  // A slice that has begun; `span` is an index, or kNone.
  struct Open {
    uint32_t name, clock, span;
  };

  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    fields_.clear();
    for (const ArgKey& key : batch_->args.keys)
      fields_.push_back(field_of(batch_->strings.get(key.key)));
    const bool has_ids = std::ranges::any_of(
        fields_, [](SpanField field) { return field == kSpanId || field == kTraceParent; });
    if (!has_ids) return;
    recordings_.begin(index, batch);
    for (const Stream& stream : batch_->streams) {
      open_.clear();
      for (const Event& event : stream.events) read_event(event);
    }
  }

  void read_event(const Event& event) {
    switch (event.what()) {
      case EventKind::Slice:
        if (const uint32_t at = add(event); at != kNone && event.value >= 0)
          end(all_.spans[at], event.value);
        return;
      case EventKind::Instant:
        add(event);
        return;
      case EventKind::SliceBegin:
        open_[event.track].push_back({event.name.row, event.clock, add(event)});
        return;
      case EventKind::SliceEnd:
        return close(event);
      default:
        return;
    }
  }

  void close(const Event& event) {
    const auto of_track = open_.find(event.track);
    if (of_track == open_.end()) return;
    std::vector<Open>& open = of_track->second;
    auto at = open.end();
    while (at != open.begin())
      if (--at; !event.name || at->name == event.name.row) {
        int64_t ns = 0, dur = 0;
        ServiceSpan* span = at->span == kNone ? nullptr : &all_.spans[at->span];
        if (span != nullptr && at->clock == event.clock &&
            !__builtin_mul_overflow(event.ts, batch_->clocks[event.clock].tick_ns, &ns) &&
            !__builtin_sub_overflow(ns, span->begin, &dur) && dur >= 0)
          end(*span, dur);
        open.erase(at);
        return;
      }
  }

  static void end(ServiceSpan& span, int64_t dur) {
    span.has_end = !__builtin_add_overflow(span.begin, dur, &span.end);
  }

  // Returns the index of the span; kNone if the event has no ids.
  uint32_t add(const Event& event) {
    if (event.args == kNone) return kNone;
    Ids ids;
    read_args(event, ids);
    resolve(ids);
    ServiceSpan& span = ids.span;
    if (span.trace == 0 || (span.id == 0 && span.parent == 0) || span.id == span.parent)
      return kNone;
    span.is_global = span.is_global || is_evidently_global(span.id != 0 ? span.id : span.parent);
    span.recording = recordings_.of(event.clock);
    if (span.recording == kNone ||
        __builtin_mul_overflow(event.ts, batch_->clocks[event.clock].tick_ns, &span.begin))
      return kNone;
    all_.spans.push_back(span);
    return static_cast<uint32_t>(all_.spans.size() - 1);
  }

  struct Ids {
    ServiceSpan span;
    uint64_t context = 0;  // the span that traceparent names
  };

  void read_args(const Event& event, Ids& ids) const {
    for (const ArgRow* at = &batch_->args.rows[event.args];; ++at) {
      const SpanField field = fields_[at->key];
      if (field != kNoField && at->type == ArgType::String)
        read_text(field, batch_->strings.get({static_cast<uint32_t>(at->value)}), ids);
      if (field == kKindOfSpan && (at->type == ArgType::Int || at->type == ArgType::Uint))
        ids.span.kind = span_kind(at->value);
      if (at->last) return;
    }
  }

  static void set_trace(std::string_view text, ServiceSpan& span) {
    const std::optional<TraceId> id = trace_id(text);
    if (!id) return;
    span.trace = id->hash;
    span.is_global = id->is_global;
  }

  static void read_text(SpanField field, std::string_view text, Ids& ids) {
    const auto span_id = [](std::string_view id) {
      return id.size() == kSpanDigits ? hex(id).value_or(0) : 0;
    };
    switch (field) {
      case kTraceId:
        return set_trace(text, ids.span);
      case kSpanId:
        ids.span.id = span_id(text);
        return;
      case kParentId:
        ids.span.parent = span_id(text);
        return;
      case kKindOfSpan:
        ids.span.kind = span_kind(text);
        return;
      case kTraceParent: {  // 00-<trace>-<span>-<flags>
        constexpr size_t kTraceAt = 3, kSpanAt = kTraceAt + kTraceDigits + 1;
        if (text.size() < kSpanAt + kSpanDigits || text[kTraceAt - 1] != '-' ||
            text[kSpanAt - 1] != '-')
          return;
        if (ids.span.trace == 0) set_trace(text.substr(kTraceAt, kTraceDigits), ids.span);
        ids.context = span_id(text.substr(kSpanAt, kSpanDigits));
        return;
      }
      case kNoField:
        return;
    }
  }

  // The context that a client sends is the client's span, the one that a server got is the parent.
  static void resolve(Ids& ids) {
    ServiceSpan& span = ids.span;
    if (ids.context == 0 || ids.context == span.id || ids.context == span.parent) return;
    if (span.id != 0 || span.kind == SpanKind::Server) {
      if (span.parent == 0) span.parent = ids.context;
    } else if (span.kind == SpanKind::Client) {
      span.id = ids.context;
    }
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  ServiceSpans& all_;
  const EventBatch* batch_ = nullptr;
  RecordingIndex recordings_;
  std::vector<SpanField> fields_;                          // by key of an arg
  absl::flat_hash_map<uint32_t, std::vector<Open>> open_;  // by track
};

}  // namespace

SpanKind span_kind(std::string_view text) {
  const std::string lower = in_lower_case(text);  // also of SPAN_KIND_CLIENT
  if (lower.ends_with("client")) return SpanKind::Client;
  if (lower.ends_with("server")) return SpanKind::Server;
  return SpanKind::Other;
}
SpanKind span_kind(int64_t otlp) {
  return otlp == 3 ? SpanKind::Client : otlp == 2 ? SpanKind::Server : SpanKind::Other;
}

ServiceSpans read_spans(std::span<const FileToLocate> files, const Trackers& trackers) {
  ServiceSpans all;
  if (trackers.all.size() < 2) return all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    SpanReader(files[file], batches, first, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
