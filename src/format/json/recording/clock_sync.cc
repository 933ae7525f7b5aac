#include "format/json/recording/clock_sync.h"

#include <algorithm>
#include <array>

#include "format/common/stats.h"
#include "format/json/stats.h"
#include "format/json/wire/dom.h"

namespace tracebraid::json {
namespace {

constexpr std::string_view kUnnamed = "UNKNOWN_CHROME_LEGACY";
constexpr std::string_view kLegacyPrefix = "ClockSyncEvent.";
constexpr std::array<std::string_view, 10> kKnownDomains{kUnnamed,
                                                         "LINUX_CLOCK_MONOTONIC",
                                                         "LINUX_FTRACE_GLOBAL",
                                                         "MAC_MACH_ABSOLUTE_TIME",
                                                         "WIN_ROLLOVER_PROTECTED_TIME_GET_TIME",
                                                         "WIN_QPC",
                                                         "FUCHSIA_ZX_CLOCK_MONOTONIC",
                                                         "BATTOR",
                                                         "SYSTRACE",
                                                         "TELEMETRY"};

std::optional<int64_t> time_of(const Dom* value) {
  return value == nullptr ? std::nullopt : ns_of(value->value);
}

// Returns the name of the domain; empty if the file gives none.
std::string domain_of(FileFacts& facts) {
  std::string name;
  for (const MetadataText& member : facts.metadata()) {
    if (member.key != "json_metadata.clock-domain" || !member.json.starts_with('"')) continue;
    Dom text;
    Repairs ignored;
    if (parse_dom(member.json, {}, ignored, text) == Parse::Ok) name = text.text;
  }
  return name;
}

void write_domain(const std::string& name, EventSink& sink) {
  if (name.empty() || name == kUnnamed) return;
  if (std::ranges::find(kKnownDomains, name) == kKnownDomains.end())
    sink.tally(stats::clock_domain_unknown);
  sink.batch().clock_domains.push_back({own_clock(sink), sink.string(name)});
}

void write_marker(const SyncMark& mark, std::string_view domain, EventSink& sink) {
  sink.batch().sync_markers.push_back({.clock = own_clock(sink),
                                       .domain = sink.string(domain),
                                       .sync_id = sink.string(mark.sync_id),
                                       .begin = mark.begin,
                                       .end = mark.end,
                                       .is_issuer = mark.kind != SyncMark::Kind::Receiver});
}

// Begins without an end so far.
class LegacyPairs {
 public:
  void start(const SyncMark& mark) {
    open_[mark.sync_id].push_back(mark.begin);
    ++unfinished_;
  }
  void finish(const SyncMark& mark, EventSink& sink) {
    std::vector<int64_t>& starts = open_[mark.sync_id];
    if (starts.empty() || starts.back() > mark.end) {
      ++unstarted_;
      return;
    }
    SyncMark pair = mark;
    pair.begin = starts.back();
    starts.pop_back();
    --unfinished_;
    write_marker(pair, kUnnamed, sink);
  }
  // A begin and an end with different ids count as one mistake.
  size_t mistakes() const { return std::max(unfinished_, unstarted_); }

 private:
  absl::flat_hash_map<std::string_view, std::vector<int64_t>> open_;  // ns, by sync id
  size_t unfinished_ = 0, unstarted_ = 0;
};

}  // namespace

void note_clock_sync(Chunk& chunk, const Members& members, int64_t ts) {
  Dom args;
  Repairs ignored;
  const Value& value = members[Field::Args];
  const bool has_args = value.has(Kind::Object) &&
                        parse_dom(value.raw, {0, chunk.depth_limit}, ignored, args) == Parse::Ok;
  const Dom* const id = has_args ? args.find("sync_id") : nullptr;
  if (id == nullptr || !id->is(Kind::String) || id->text.empty())
    return drop(chunk, members, stats::clock_sync_parse_error);
  const std::optional<int64_t> issued = time_of(args.find("issue_ts"));
  if (issued && *issued > ts) return drop(chunk, members, stats::clock_sync_parse_error);
  const SyncMark::Kind kind = issued ? SyncMark::Kind::Issuer : SyncMark::Kind::Receiver;
  chunk.facts.sync_marks.push_back({kind, id->text, issued.value_or(ts), ts});
}

void note_legacy_clock_sync(Chunk& chunk, std::string_view name, char phase, int64_t ts) {
  if ((phase != 'S' && phase != 'F') || !name.starts_with(kLegacyPrefix)) return;
  const SyncMark::Kind kind =
      phase == 'S' ? SyncMark::Kind::LegacyStart : SyncMark::Kind::LegacyFinish;
  chunk.facts.sync_marks.push_back({kind, std::string(name.substr(kLegacyPrefix.size())), ts, ts});
}

void write_clock_sync(FileFacts& facts, EventSink& sink) {
  const std::string domain = domain_of(facts);
  write_domain(domain, sink);
  LegacyPairs legacy;
  for (const SyncMark& mark : facts.sync_marks()) {
    if (mark.kind == SyncMark::Kind::LegacyStart)
      legacy.start(mark);
    else if (mark.kind == SyncMark::Kind::LegacyFinish)
      legacy.finish(mark, sink);
    else
      write_marker(mark, domain.empty() ? kUnnamed : domain, sink);
  }
  if (const size_t mistakes = legacy.mistakes(); mistakes > 0)
    sink.tally(stats::clock_sync_parse_error, static_cast<int64_t>(mistakes));
}

}  // namespace tracebraid::json
