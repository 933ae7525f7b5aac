// The format: perf.data, as `perf record` writes it, to a file or a pipe.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/clock_domain.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "event/stats.h"
#include "format/common/profile.h"
#include "format/common/stats.h"
#include "format/format.h"
#include "format/perf/bytes.h"
#include "format/perf/clocks.h"
#include "format/perf/compressed.h"
#include "format/perf/mappings.h"
#include "format/perf/stats.h"
#include "format/perf/switches.h"
#include "format/perf/tracepoints.h"

namespace tracebraid::perf {
namespace {

constexpr std::string_view kSource = "linux.perf";
constexpr uint16_t kCommExec = 1 << 13;

std::string_view cpu_mode(uint16_t misc) {
  static constexpr std::string_view kNames[] = {"",           "kernel",       "user",
                                                "hypervisor", "guest_kernel", "guest_user"};
  const auto mode = static_cast<size_t>(misc & kCpuModeMask);
  return mode < std::size(kNames) ? kNames[mode] : "";
}

class Reader {
 public:
  Reader(Header& header, const ReadOptions& options, EventSink& sink)
      : header_(header),
        sink_(sink),
        mappings_(header, sink),
        tracepoints_(sink, options.ftrace_raw) {}

  void read();

 private:
  struct Timed {  // a record and the time at which it is handled
    uint64_t time;
    Record record;
  };

  std::vector<Timed> collect();
  void collect_one(const Record& record, uint64_t& last, std::vector<Timed>& records);
  void unpack(const Record& packed, uint64_t& last, std::vector<Timed>& records);
  void read_user_record(const Record& record, std::string_view& data, uint64_t& at);
  void write_facts(const std::vector<Timed>& records);
  void apply(const Timed& timed);
  void skip(const Record& record);
  void sample(const Record& record);
  void comm(const Record& record, uint64_t time);
  void fork(const Record& record, uint64_t time);
  void exit(const Record& record, uint64_t time);
  uint32_t counters(const Sample& sample);
  uint32_t counter_track(uint32_t attr, uint32_t cpu);
  uint32_t thread(uint32_t pid, uint32_t tid);

  Header& header_;
  EventSink& sink_;
  Mappings mappings_;
  Unpacker unpacker_;
  TracepointWriter tracepoints_;
  ThreadSwitches thread_switches_;
  AuxLosses aux_;
  uint32_t clock_ = 0;
  uint32_t session_ = kNone;
  struct Counter {
    uint32_t track = kNone;
    double sum = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, Counter> counters_;  // by attr and CPU
  std::map<uint32_t, std::pair<uint64_t, uint64_t>> skipped_;  // by type: records, bytes
};

// Both ids are -1 for a task that has exited so far that the kernel has released its ids: the owner
// is not known.
uint32_t Reader::thread(uint32_t pid, uint32_t tid) {
  const auto signed_tid = static_cast<int32_t>(tid), signed_pid = static_cast<int32_t>(pid);
  if (signed_tid < 0) return kNone;
  if (signed_pid < 0) return sink_.thread({.tid = signed_tid});
  return sink_.thread({.tid = signed_tid, .pid = signed_pid});
}

void Reader::read() {
  const std::vector<Timed> records = collect();
  write_facts(records);
  const auto samples = static_cast<size_t>(std::ranges::count_if(
      records, [](const Timed& timed) { return timed.record.type == kSample; }));
  if (samples > 0) sink_.expect_events(samples);
  sink_.batch().stacks.samples.reserve(samples);
  for (const Timed& timed : records) apply(timed);
  thread_switches_.finish(sink_);
  for (const auto& [type, amount] : skipped_)
    sink_.batch().not_imported.push_back(
        {fmt::format("perf record {}", name_of_record(type)), amount.first, amount.second});
  for (const uint32_t feature : header_.unused_features)
    sink_.batch().not_imported.push_back(
        {fmt::format("perf header feature {}", name_of_feature(feature)), 1, 0});
}

// Buffers of CPUs are written one after the other, so records are sorted by time. Records without a
// time stay after the record that they follow.
std::vector<Reader::Timed> Reader::collect() {
  std::vector<Timed> records;
  std::string_view data = header_.data;
  uint64_t at = header_.data_at;
  uint64_t last = 0;
  while (const std::optional<Record> record = take_record(data, at)) {
    if (record->type == kCompressed || record->type == kCompressed2)
      unpack(*record, last, records);
    else if (record->type >= kUserRecords)
      read_user_record(*record, data, at);
    else
      collect_one(*record, last, records);
  }
  if (!data.empty() || !unpacker_.rest().empty() || header_.is_cut)
    sink_.count(stats::trace_truncated, at);
  std::ranges::stable_sort(records, {}, &Timed::time);
  return records;
}

void Reader::collect_one(const Record& record, uint64_t& last, std::vector<Timed>& records) {
  Sample sample;
  std::optional<uint64_t> time;
  if (record.type == kSample) {
    if (parse_sample(record, header_, sample)) time = sample.time;
  } else {
    time = parse_sample_id(record, header_).time;
  }
  // Records about processes that ran before have time 0.
  last = time.value_or(last);
  records.push_back({last, record});
}

void Reader::unpack(const Record& packed, uint64_t& last, std::vector<Timed>& records) {
  std::string_view bytes = packed.body;
  if (packed.type == kCompressed2) {  // has its length, without padding
    Bytes body(bytes);
    const uint64_t size = body.u64();
    bytes = body.bytes(size);
  }
  std::optional<std::string_view> data = unpacker_.add(bytes);
  if (!data) return sink_.count(stats::perf_data_bad_record, packed.at);
  uint64_t ignored = 0;
  while (std::optional<Record> record = take_record(*data, ignored)) {
    record->at = packed.at;
    if (record->type < kUserRecords) collect_one(*record, last, records);
  }
  unpacker_.keep(*data);
}

void Reader::read_user_record(const Record& record, std::string_view& data, uint64_t& at) {
  const auto whole = [&] {  // including its header
    return std::string_view(record.body.data() - 8, record.body.size() + 8);
  };
  switch (record.type) {
    case kHeaderAttr:
      return parse_attr_record(whole(), header_);
    case kHeaderFeature: {
      Bytes bytes(record.body);
      const uint64_t feature = bytes.u64();
      return parse_feature(static_cast<uint32_t>(feature), bytes.rest(), header_);
    }
    case kTracingDataRecord: {
      // The data itself follows the record, padded to 8 bytes.
      const uint64_t size = (uint64_t{Bytes(record.body).u32()} + 7) / 8 * 8;
      const std::string_view tracing = data.substr(0, std::min<size_t>(size, data.size()));
      header_.tracing = parse_tracing_data(tracing);
      data.remove_prefix(tracing.size());
      at += tracing.size();
      return;
    }
    case kBuildIdRecord:
      return parse_build_id(whole(), header_);
    case kFinishedRound:
    case kFinishedInit:
      return;
    case kTimeConv:
      return parse_time_conversion(record, header_);
    case kAuxTrace: {  // as above, without padding
      const uint64_t size = std::min<uint64_t>(Bytes(record.body).u64(), data.size());
      data.remove_prefix(static_cast<size_t>(size));
      at += size;
      sink_.tally(stats::perf_aux_ignored);
      skip(record);
      skipped_[kAuxTrace].second += size;
      return;
    }
    default:
      skip(record);
  }
}

void Reader::write_facts(const std::vector<Timed>& records) {
  const auto is_timed = [](const Timed& timed) { return timed.time != 0; };
  const auto first = std::ranges::find_if(records, is_timed);
  const bool any = first != records.end();
  clock_ = write_clocks(header_, any ? first->time : 0, any ? records.back().time : 0, sink_);
  MachineFacts facts;
  const auto text = [&](const std::string& value) {
    return value.empty() ? StringId{} : sink_.string(value);
  };
  facts.release = text(header_.release);
  facts.arch = text(header_.arch);
  facts.num_cpus = header_.cpus;
  sink_.batch().machine_facts.push_back(facts);
  SampleSession session;
  session.source = sink_.string(kSource);
  session.cmdline = text(header_.cmdline);
  session_ = sink_.session(session);
}

void Reader::apply(const Timed& timed) {
  const Record& record = timed.record;
  switch (record.type) {
    case kMmap:
    case kMmap2:
      return mappings_.mmap(record);
    case kComm:
      return comm(record, timed.time);
    case kFork:
      return fork(record, timed.time);
    case kExit:
      return exit(record, timed.time);
    case kSample:
      return sample(record);
    case kLost: {
      Bytes bytes(record.body);
      bytes.skip(8);
      const uint32_t cpu = parse_sample_id(record, header_).cpu.value_or(0);
      return sink_.tally(stats::perf_cpu_lost_records, static_cast<int64_t>(bytes.u64()), 0,
                         static_cast<int32_t>(cpu));
    }
    case kLostSamples:
      return sink_.tally(stats::perf_cpu_lost_records,
                         static_cast<int64_t>(Bytes(record.body).u64()), 0,
                         static_cast<int32_t>(parse_sample_id(record, header_).cpu.value_or(0)));
    case kAux:
      aux_.note(record, header_, sink_);
      return skip(record);
    default:
      const auto time = static_cast<int64_t>(timed.time);
      if (!write_switch(record, header_, time, clock_, sink_) &&
          !thread_switches_.note(record, header_, time, clock_, sink_))
        skip(record);
  }
}

void Reader::skip(const Record& record) {
  if (name_of_record(record.type).empty())
    return sink_.tally(stats::perf_unknown_record_type, 1, 0, static_cast<int32_t>(record.type));
  auto& [count, bytes] = skipped_[record.type];
  ++count;
  bytes += record.body.size();
}

void Reader::comm(const Record& record, uint64_t time) {
  Bytes bytes(record.body);
  const uint32_t pid = bytes.u32(), tid = bytes.u32();
  const std::string_view name = until_nul(bytes.rest());
  if (bytes.bad()) return sink_.count(stats::perf_data_bad_record, record.at);
  if ((record.misc & kCommExec) != 0) mappings_.exec(pid);
  const uint32_t named = thread(pid, tid);
  if (named == kNone) return;
  constexpr int64_t kPriority = 1;  // as of scheduler events (spec proto 4.1)
  const Event event =
      make_task_rename({static_cast<int64_t>(time), clock_}, named, sink_.string(name), kPriority);
  if (time == 0)
    sink_.untimed(event);
  else
    sink_.event(event);
}

void Reader::fork(const Record& record, uint64_t time) {
  Bytes bytes(record.body);
  const uint32_t pid = bytes.u32(), parent = bytes.u32(), tid = bytes.u32();
  if (bytes.bad()) return sink_.count(stats::perf_data_bad_record, record.at);
  mappings_.fork(pid, parent);
  const uint32_t started = thread(pid, tid);
  if (time == 0 || started == kNone) return;
  const EventTime at{static_cast<int64_t>(time), clock_};
  sink_.event(make_thread_start(at, started));
  if (pid == parent) return;
  const uint32_t child = sink_.process({.pid = pid});
  sink_.event(make_process_parent(at, child, sink_.process({.pid = parent})));
}

void Reader::exit(const Record& record, uint64_t time) {
  Bytes bytes(record.body);
  const uint32_t pid = bytes.u32();
  bytes.skip(4);
  const uint32_t tid = bytes.u32();
  if (bytes.bad()) return sink_.count(stats::perf_data_bad_record, record.at);
  if (const uint32_t ended = thread(pid, tid); ended != kNone)
    sink_.event(make_thread_end({static_cast<int64_t>(time), clock_}, ended));
}

uint32_t Reader::counter_track(uint32_t attr, uint32_t cpu) {
  const Attr& of = header_.attrs[attr];
  std::string name = of.name;
  if (name.empty() && of.type == kTracepointType)
    if (const auto at = header_.tracing.tracepoints.find(of.config);
        at != header_.tracing.tracepoints.end())
      name = at->second.system + ':' + at->second.name;
  if (name.empty()) name = fmt::format("0x{:x}", of.config);
  TrackName track;
  track.events = TrackEvents::Counter;
  track.scope = TrackScope::Cpu;
  track.owner = cpu;
  track.type = sink_.string("perf_cpu_counter");
  track.name = sink_.string(name);
  sink_.open_args();
  add_int("perf_session_id", session_, sink_, ArgType::Session);
  add_text("name", name, sink_);
  track.dimensions = sink_.close_args();
  sink_.open_args();
  add_int("is_timebase", 1, sink_, ArgType::Bool);
  track.source_args = sink_.close_args();
  return sink_.track(track);
}

// Returns the count of the event so far on the sample's CPU.
uint32_t Reader::counters(const Sample& sample) {
  if (!sample.cpu || (!sample.period && !sample.count)) return kNone;
  Counter& counter = counters_[{sample.attr, *sample.cpu}];
  if (counter.track == kNone) counter.track = counter_track(sample.attr, *sample.cpu);
  counter.sum = sample.count ? static_cast<double>(*sample.count)
                             : counter.sum + static_cast<double>(*sample.period);
  std::vector<SampleCounter>& all = sink_.batch().stacks.sample_counters;
  all.push_back({counter.track, true, counter.sum});
  return static_cast<uint32_t>(all.size() - 1);
}

void Reader::sample(const Record& record) {
  Sample sample;
  if (!parse_sample(record, header_, sample) || !sample.time)
    return sink_.count(stats::perf_data_bad_record, record.at);
  const Attr& attr = header_.attrs[sample.attr];
  if (attr.type == kTracepointType && !sample.raw.empty()) {
    const auto format = header_.tracing.tracepoints.find(attr.config);
    if (format == header_.tracing.tracepoints.end())
      sink_.count(stats::perf_data_tracepoint_error, record.at);
    else
      tracepoints_.write({static_cast<int64_t>(*sample.time), clock_}, sample.cpu.value_or(0),
                         sample.tid.value_or(0), format->second, sample.raw);
  }
  ProfileSample made;
  made.ts = static_cast<int64_t>(*sample.time);
  made.clock = clock_;
  if (sample.tid) made.thread = thread(sample.pid.value_or(0), *sample.tid);
  made.source = kSource;
  made.extra.session = session_;
  made.extra.callsite = mappings_.callsite(sample, record.misc);
  if (sample.cpu) made.extra.cpu = *sample.cpu;
  if (const std::string_view mode = cpu_mode(record.misc); !mode.empty())
    made.extra.cpu_mode = sink_.string(mode);
  made.extra.counters = counters(sample);
  write_sample(sink_, made);
}

Result<> read(Input& input, const ReadOptions& options, Chunks& chunks) {
  const Block file = input.all();
  TB_TRY_ASSIGN(Header header, parse_header(file.bytes));
  Reader(header, options, chunks.add()).read();
  input.done(file);
  return {};
}

Match sniff(const Peek& peek) { return peek.head.starts_with(kMagic) ? Match::Sure : Match::No; }

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "perf",
    .title = "perf.data",
    .about =
        "Recordings of perf record, from a file or a pipe, compressed or not: samples with "
        "callchains, processes, mappings with build ids, counters, tracepoints (sched_switch "
        "becomes scheduling). Frames have addresses; other files provide the symbols.",
    .times = "the clock of perf record -k, otherwise perf's own clock.",
    .anchors =
        "CLOCK_DATA relates the clock to REALTIME, TIME_CONV perf's own to the CPU's counter.",
    .tables =
        "perf_sample, the stack_profile tables, counter, sched, thread_state, ftrace_event, "
        "process, thread.",
    .clock = {.domain = domain::kMonotonic, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::perf
