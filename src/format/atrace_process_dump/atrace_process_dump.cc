// The format: ATRACE_PROCESS_DUMP, names and memory of Android's processes (spec json 10.9).
// Contained in pages of systrace and in traces of Chrome.
#include <charconv>
#include <string>
#include <string_view>

#include "base/clock_domain.h"
#include "base/words.h"
#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/json_document.h"
#include "format/common/profile.h"
#include "format/common/stats.h"
#include "format/format.h"

namespace tracebraid::atrace_process_dump {
namespace {

constexpr std::string_view kWord = "ATRACE_PROCESS_DUMP";
constexpr std::string_view kDomain = "LINUX_CLOCK_MONOTONIC";
constexpr int64_t kBytesPerKib = 1024;
constexpr double kNsPerMs = 1e6;
constexpr double kNsPerSecond = 1e9;
constexpr int64_t kWeakestName = 0;  // any other source takes precedence

// Returns a number, which may be given as text.
std::optional<double> real_of(const JsonValue& value) {
  if (const std::optional<double> number = json_number(value)) return number;
  const std::string_view text = json_text(value).value_or("");
  double number = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, number);
  if (error != std::errc() || end != stop || text.empty()) return std::nullopt;
  return number;
}

std::optional<int64_t> integer_of(const JsonValue& value) {
  if (const std::optional<int64_t> number = json_integer(value)) return number;
  return parse_decimal(json_text(value).value_or(""));
}

// Returns kUnset if the number is missing or does not fit.
int64_t bytes_of(const JsonValue& kib) {
  const std::optional<int64_t> number = integer_of(kib);
  int64_t bytes = 0;
  if (!number || *number < 0 || __builtin_mul_overflow(*number, kBytesPerKib, &bytes))
    return kUnset;
  return bytes;
}

// Calls `each` for the members of an object.
template <class Each>
void for_each_member(const JsonValue& of, const Each& each) {
  simdjson::dom::object object;
  if (!of || of->get(object) != simdjson::SUCCESS) return;
  for (const auto& [key, value] : object) each(std::string_view(key), JsonValue(value));
}

class Reader {
 public:
  Reader(EventSink& sink, const JsonValue& root) : sink_(sink), root_(root) {
    clock_ = sink.clock({.domain = domain::kMonotonic, .by_default = true});
    sink.batch().clock_domains.push_back({.clock = clock_, .name = sink.string(kDomain)});
  }

  void read() {
    for_each_member(json_member(root_, "clock_sync_markers"),
                    [&](std::string_view id, const JsonValue& at) { sync_marker(id, at); });
    for_each_member(json_member(root_, "processes"),
                    [&](std::string_view pid, const JsonValue& process) { names(pid, process); });
    int64_t number = 0;
    for (const JsonValue& snapshot :
         json_items(json_member(json_member(root_, "dump"), "snapshots")))
      dump(snapshot, number++);
  }

 private:
  void bad(std::string_view what) { sink_.count(stats::memory_dump_parse_error, kNoOffset, what); }

  void sync_marker(std::string_view id, const JsonValue& seconds) {
    const std::optional<double> at = real_of(seconds);
    const std::optional<int64_t> ns = at ? ns_of(*at, kNsPerSecond) : std::nullopt;
    if (!ns) return sink_.count(stats::clock_sync_parse_error, kNoOffset, id);
    sink_.batch().sync_markers.push_back({.clock = clock_,
                                          .domain = sink_.string(kDomain),
                                          .sync_id = sink_.string(id),
                                          .begin = *ns,
                                          .end = *ns});
  }

  template <class MakeName>
  void name(MakeName make_name, uint32_t of, const JsonValue& value) {
    const std::string_view text = json_text(json_member(value, "name")).value_or("");
    if (!text.empty()) sink_.untimed(make_name({}, of, sink_.string(text), kWeakestName));
  }

  void names(std::string_view key, const JsonValue& process) {
    const std::optional<int64_t> pid = parse_decimal(key);
    if (!pid) return bad(key);
    name(make_process_name, sink_.process({.pid = *pid}), process);
    for_each_member(json_member(process, "threads"),
                    [&](std::string_view number, const JsonValue& thread) {
                      const std::optional<int64_t> tid = parse_decimal(number);
                      if (!tid) return bad(number);
                      name(make_thread_name, sink_.thread({.tid = *tid, .pid = *pid}), thread);
                    });
  }

  void dump(const JsonValue& snapshot, int64_t number) {
    const std::optional<double> ms = real_of(json_member(snapshot, "ts"));
    const std::optional<int64_t> ns = ms ? ns_of(*ms, kNsPerMs) : std::nullopt;
    if (!ns) return bad("a snapshot without ts");
    const std::string text = std::to_string(number);
    const StringId id = sink_.string(text);
    const auto index = static_cast<uint32_t>(sink_.batch().json.ids.size());
    sink_.batch().json.ids.push_back({sink_.string("atrace"), id, id});
    for_each_member(json_member(snapshot, "memdump"),
                    [&](std::string_view key, const JsonValue& memory) {
                      const std::optional<int64_t> pid = parse_decimal(key);
                      if (!pid) return bad(key);
                      process_dump(memory, *pid, index, {*ns, clock_});
                    });
  }

  void process_dump(const JsonValue& memory, int64_t pid, uint32_t id, const EventTime& time) {
    MemoryRecords& records = sink_.batch().memory;
    MemoryDump dump;
    dump.id = id;
    dump.process = sink_.process({.pid = pid});
    dump.totals.first = static_cast<uint32_t>(records.totals.size());
    totals(memory);
    dump.totals.count = static_cast<uint32_t>(records.totals.size()) - dump.totals.first;
    dump.regions.first = static_cast<uint32_t>(records.regions.size());
    for (const JsonValue& region : json_items(json_member(memory, "mmaps"))) add_region(region);
    dump.regions.count = static_cast<uint32_t>(records.regions.size()) - dump.regions.first;
    const uint32_t track = sink_.track(
        {.type = sink_.string("json_memory_dump"), .name = sink_.string("Memory dumps")});
    sink_.event(
        make_memory_dump(time, track, append_record(records.dumps, dump), sink_.string("atrace")));
  }

  void totals(const JsonValue& memory) {
    const auto add = [&](std::string_view name, int64_t value, bool is_own) {
      if (value != kUnset)
        sink_.batch().memory.totals.push_back({sink_.string(name), value, is_own});
    };
    add("resident_set_bytes", bytes_of(json_member(memory, "rss")), false);
    add("virtual_bytes", bytes_of(json_member(memory, "vm")), true);
    add("proportional_set_bytes", bytes_of(json_member(memory, "pss")), true);
    for (const std::string_view name :
         {"oom_sc", "oom_sc_adj", "min_flt", "maj_flt", "utime", "stime"})
      add(name, integer_of(json_member(memory, name)).value_or(kUnset), true);
  }

  void add_region(const JsonValue& value) {
    const std::string_view range = json_text(json_member(value, "vm")).value_or("");
    const size_t dash = range.find('-');
    if (dash == std::string_view::npos) return bad(range);
    const std::optional<uint64_t> start = parse_hex(range.substr(0, dash));
    const std::optional<uint64_t> end = parse_hex(range.substr(dash + 1));
    if (!start || !end || *end < *start || *end - *start > INT64_MAX) return bad(range);
    MemoryRegion region{};
    region.start = static_cast<int64_t>(*start);
    region.size = static_cast<int64_t>(*end - *start);
    for (const char flag : json_text(json_member(value, "flags")).value_or(""))
      region.protection |= flag == 'r'   ? 4
                           : flag == 'w' ? 2
                           : flag == 'x' ? 1
                           : flag == 's' ? 128
                                         : 0;
    if (const auto file = json_text(json_member(value, "file"))) region.file = sink_.string(*file);
    size_t i = 0;
    for (const std::string_view name : {"pss", "pc", "pd", "sc", "sd", "swp"})
      region.bytes[i++] = bytes_of(json_member(value, name));
    sink_.batch().memory.regions.push_back(region);
  }

  EventSink& sink_;
  const JsonValue& root_;
  uint32_t clock_ = 0;
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  const Block block = input.all();
  const size_t open = block.bytes.find('{');
  if (open == std::string_view::npos)
    return fail(ErrorCode::BadInput, "an ATRACE_PROCESS_DUMP without an object");
  Input json(block.bytes.substr(open), block.owner);
  JsonDocument document;
  TB_TRY(parse_document(json, document));
  Reader(chunks.add(), document.root).read();
  return {};
}

Match sniff(const Peek& peek) {
  const std::string_view head = peek.head;
  if (!head.starts_with(kWord)) return Match::No;
  const size_t next = head.find_first_not_of(" \t\r\n", kWord.size());
  return next != std::string_view::npos && head[next] == '{' ? Match::Sure : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "atrace_process_dump",
    .title = "Android process dump (ATRACE_PROCESS_DUMP)",
    .about =
        "Names of processes and threads, and memory of processes with their mappings, as "
        "contained in systrace pages and traces of Chrome.",
    .times = "MONOTONIC.",
    .anchors = "clock_sync markers: moments that other traces recorded too.",
    .tables = "process, thread, memory_snapshot, json_memory_total, json_memory_region.",
    .clock = {.domain = domain::kMonotonic, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::atrace_process_dump
