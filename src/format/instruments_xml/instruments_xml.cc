// The format: XML that `xctrace export` writes of an Instruments recording (spec json 11.2).
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/clock_domain.h"
#include "base/hex.h"
#include "base/words.h"
#include "event/stats.h"
#include "format/common/profile.h"
#include "format/format.h"
#include "format/instruments_xml/elements.h"
#include "format/instruments_xml/stats.h"

namespace tracebraid::instruments_xml {
namespace {

constexpr std::string_view kClockSync = "dev.perfetto.clock_sync";

std::optional<int64_t> number_in(std::string_view text, int base = 10) {
  if (base == 16) text = without_0x(text);
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return static_cast<int64_t>(value);
}

std::optional<int64_t> number_at(const Element* of, std::string_view child) {
  const Element* const element = of == nullptr ? nullptr : of->find(child);
  return element == nullptr ? std::nullopt : number_in(element->text);
}

class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink), clock_(private_clock(sink)) {}
  void row(const Row& row);

 private:
  void add_sync(const Element& row, int64_t ts);
  void set_owner(const Row& row, ProfileSample& sample);
  void note_unused(const Row& row);
  uint32_t callsite_of(const Row& row);
  std::optional<uint32_t> frame_of(const Element& frame, bool is_leaf);
  uint32_t mapping_of(const Element& binary);

  EventSink& sink_;
  uint32_t clock_;
  absl::flat_hash_set<uint32_t> named_threads_, named_processes_;
};

std::string_view before(std::string_view text, std::string_view end) {
  return text.substr(0, text.find(end));
}

void Reader::row(const Row& row) {
  std::optional<int64_t> ts = number_at(row.element, "sample-time");
  const bool has_stack =
      row.element->find("backtrace") != nullptr || row.element->find("tagged-backtrace") != nullptr;
  const bool is_sample = ts.has_value() || has_stack;
  if (!ts) ts = number_at(row.element, "event-time");
  if (!ts) return note_unused(row);
  if (row.schema.find("log") != std::string_view::npos ||
      row.schema.find("signpost") != std::string_view::npos)
    add_sync(*row.element, *ts);
  // Rows other than samples give only the time.
  if (!is_sample) return note_unused(row);
  ProfileSample sample;
  sample.ts = *ts;
  sample.clock = clock_;
  sample.source = "instruments";
  set_owner(row, sample);
  sample.extra.callsite = callsite_of(row);
  if (const std::optional<int64_t> cpu = number_at(row.element, "core"); cpu && *cpu >= 0)
    sample.extra.cpu = *cpu;
  if (const std::optional<int64_t> weight = number_at(row.element, "weight"))
    sample.weight = static_cast<double>(*weight);
  write_sample(sink_, sample);
}

// Handles a log entry with the reading of BOOTTIME at its time.
void Reader::add_sync(const Element& row, int64_t ts) {
  const Element* const subsystem = row.find("subsystem");
  if (subsystem == nullptr || (subsystem->text != kClockSync && subsystem->fmt != kClockSync))
    return;
  const Element* const metadata = row.find("os-log-metadata");
  const std::optional<int64_t> boot = number_at(metadata, "uint64");
  if (!boot) return;
  ClockName clock;
  clock.domain = domain::kBoottime;
  sink_.snapshot({}, {{clock_, ts}, {sink_.clock(clock), *boot}});
}

void Reader::note_unused(const Row& row) {
  std::vector<NotImported>& list = sink_.batch().not_imported;
  const std::string what = "rows of schema " + std::string(row.schema);
  auto at = std::ranges::find(list, what, &NotImported::what);
  if (at == list.end()) at = list.insert(list.end(), {what, 0, 0});
  ++at->count;
}

void Reader::set_owner(const Row& row, ProfileSample& sample) {
  const Element* const thread = row.element->find("thread");
  const bool has_thread = thread != nullptr && !thread->is_missing;
  if (!has_thread) sink_.count(stats::instruments_row_missing_thread, row.at);
  const Element* process = row.element->find("process");
  if (process == nullptr && has_thread) process = thread->find("process");
  const std::optional<int64_t> pid = number_at(process, "pid");
  if (pid) {
    sample.extra.process = sink_.process({.pid = *pid});
    if (named_processes_.insert(sample.extra.process).second)
      name_process(sink_, sample.extra.process, before(process->fmt, " ("));
  } else {
    sink_.count(stats::instruments_row_missing_process, row.at);
  }
  if (!has_thread) return;
  ThreadName name;
  name.tid = number_at(thread, "tid").value_or(0);
  if (pid) name.pid = *pid;
  sample.thread = sink_.thread(name);
  const std::string_view text = thread->fmt;
  if (named_threads_.insert(sample.thread).second)
    name_thread(sink_, sample.thread, text.substr(0, std::min(text.find(" 0x"), text.find(" ("))));
}

uint32_t Reader::callsite_of(const Row& row) {
  const Element* backtrace = row.element->find("backtrace");
  if (backtrace == nullptr) {
    backtrace = row.element->find("tagged-backtrace");
    if (backtrace != nullptr && !backtrace->is_missing) backtrace = backtrace->find("backtrace");
  }
  if (backtrace == nullptr || backtrace->is_missing) {
    sink_.count(stats::instruments_row_missing_backtrace, row.at);
    return kNone;
  }
  std::vector<const Element*> frames;
  for (const Element::Child& child : backtrace->children)
    if (child.name == "frame") frames.push_back(child.element.get());
  uint32_t callsite = kNone;
  for (size_t i = frames.size(); i-- > 0;) {  // the leaf comes first
    const std::optional<uint32_t> frame = frame_of(*frames[i], i == 0);
    if (frame)
      callsite = sink_.callsite(callsite, *frame);
    else
      sink_.count(stats::instruments_row_missing_frame, row.at);
  }
  return callsite;
}

std::optional<uint32_t> Reader::frame_of(const Element& element, bool is_leaf) {
  if (element.is_missing) return std::nullopt;
  StackFrame frame;
  frame.name = sink_.string(element.attribute("name"));
  int64_t address = number_in(element.attribute("addr"), 16).value_or(0);
  // A caller is identified by its return address.
  if (!is_leaf && address != 0) --address;
  const Element* const binary = element.find("binary");
  if (binary != nullptr && !binary->is_missing) {
    frame.mapping = mapping_of(*binary);
    int64_t base = number_in(binary->attribute("load-addr"), 16).value_or(0);
    if (!__builtin_sub_overflow(address, base, &base)) frame.rel_pc = base;
  } else {
    frame.rel_pc = address;
  }
  return sink_.frame(frame);
}

uint32_t Reader::mapping_of(const Element& binary) {
  StackMapping mapping;
  const std::string_view path = binary.attribute("path");
  mapping.name = sink_.string(path.empty() ? binary.attribute("name") : path);
  std::string build_id;
  for (const char c : binary.attribute("UUID"))
    if (c != '-') build_id += static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  mapping.build_id = sink_.string(build_id);
  mapping.start = number_in(binary.attribute("load-addr"), 16).value_or(0);
  return sink_.mapping(mapping);
}

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  EventSink& sink = chunks.add();
  Reader reader(sink);
  bool is_cut = false;
  Result<> result = read_rows(input, [&](const Row& row) { reader.row(row); }, is_cut);
  if (!is_cut) return result;
  sink.count(stats::trace_truncated, input.offset(), result.error().message);
  return {};
}

Match sniff(const Peek& peek) {
  std::string_view rest = without_byte_order_mark(peek.head);
  const size_t end = rest.find("?>");
  if (!rest.starts_with("<?xml") || end == std::string_view::npos) return Match::No;
  rest.remove_prefix(end + 2);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return rest.starts_with("<trace-query-result") ? Match::Sure : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "instruments_xml",
    .title = "Instruments export (XML)",
    .about = "Samples of Apple's Instruments, as xctrace export writes them.",
    .times = "the file's own, from the start of the recording.",
    .anchors = "Log entries of the subsystem dev.perfetto.clock_sync, which give BOOTTIME.",
    .tables = "instruments_sample, cpu_profile_stack_sample, the stack_profile tables.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::instruments_xml
