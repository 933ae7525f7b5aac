// The format: reports of simpleperf, `simpleperf report-sample --protobuf` (spec proto-2 3).
//
// A report describes its files behind the samples that refer to them, so a first pass reads the
// files and a second one the samples.
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock_domain.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/profile.h"
#include "format/common/proto_wire.h"
#include "format/format.h"
#include "format/simpleperf_proto/stats.h"

namespace tracebraid::simpleperf_proto {
namespace {

using proto::Message;

constexpr std::string_view kMagic = "SIMPLEPERF";
constexpr uint16_t kVersion = 1;
constexpr size_t kHeadBytes = kMagic.size() + sizeof kVersion;
constexpr size_t kMaxFrames = 16384;  // of one sample

static_assert(std::endian::native == std::endian::little);

// Field numbers of the messages of simpleperf_report.proto.
struct Record {
  enum Field : uint32_t { kSample = 1, kFile = 3, kThread = 4, kContextSwitch = 6 };
};
struct Sample {
  enum Field : uint32_t { kTime = 1, kThreadId = 2, kCallchain = 3 };
};
struct CallChainEntry {
  enum Field : uint32_t { kVaddrInFile = 1, kFileId = 2, kSymbolId = 3 };
};
struct File {
  enum Field : uint32_t { kId = 1, kPath = 2, kSymbol = 3 };
};
struct Thread {
  enum Field : uint32_t { kThreadId = 1, kProcessId = 2, kThreadName = 3 };
};
struct ContextSwitch {
  enum Field : uint32_t { kTime = 2 };
};

// The records of a report: a length of 4 bytes and a message each, up to a length of 0.
class Records {
 public:
  Records(std::string_view bytes, size_t first) : bytes_(bytes), at_(first) {}

  // Returns the next record; nothing at the end.
  std::optional<std::string_view> next() {
    uint32_t length = 0;
    if (bytes_.size() - at_ < sizeof length) return std::nullopt;
    std::memcpy(&length, bytes_.data() + at_, sizeof length);
    if (length == 0) is_complete_ = true;
    if (length == 0 || length > bytes_.size() - at_ - sizeof length) return std::nullopt;
    record_at_ = at_;
    at_ += sizeof length + length;
    return bytes_.substr(record_at_ + sizeof length, length);
  }

  // Returns the offset of the last record.
  uint64_t record_at() const { return record_at_; }
  // Returns the offset where reading stopped, and whether it stopped at the end of the report.
  uint64_t at() const { return at_; }
  bool is_complete() const { return is_complete_; }

 private:
  std::string_view bytes_;
  size_t at_;
  size_t record_at_ = 0;
  bool is_complete_ = false;
};

struct MappedSymbols {
  uint32_t mapping;
  std::vector<StringId> symbols;
};

class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink) {
    ClockName clock;
    clock.domain = domain::kMonotonic;
    clock.by_default = true;
    clock_ = sink.clock(clock);
  }

  void read_file(std::string_view record);
  void read_record(std::string_view record, uint64_t at);

 private:
  void read_sample(Message message, uint64_t at);
  void read_thread(Message message);
  std::optional<uint32_t> read_frame(Message message);

  EventSink& sink_;
  uint32_t clock_;
  absl::flat_hash_map<uint32_t, MappedSymbols> files_;
  int64_t time_ = 0;              // of the last sample or switch
  std::vector<uint32_t> frames_;  // of the sample, leaf first
};

void Reader::read_file(std::string_view record) {
  for (Message fields(record); fields.next();) {
    if (fields.number() != Record::kFile) continue;
    uint32_t id = 0;
    StringId path = sink_.string("");
    std::vector<StringId> symbols;
    for (Message file = fields.message(); file.next();) {
      if (file.number() == File::kId) id = file.u32();
      if (file.number() == File::kPath) path = sink_.string(file.bytes());
      if (file.number() == File::kSymbol) symbols.push_back(sink_.string(file.bytes()));
    }
    files_.insert_or_assign(id, MappedSymbols{sink_.mapping({.name = path}), std::move(symbols)});
  }
}

void Reader::read_record(std::string_view record, uint64_t at) {
  for (Message fields(record); fields.next();) {
    switch (fields.number()) {
      case Record::kSample:
        read_sample(fields.message(), at);
        break;
      case Record::kThread:
        read_thread(fields.message());
        break;
      case Record::kContextSwitch:
        for (Message change = fields.message(); change.next();)
          if (change.number() == ContextSwitch::kTime) time_ = change.i64();
        break;
      default:
        break;
    }
  }
}

// Returns nothing if the report does not describe the file of the frame.
std::optional<uint32_t> Reader::read_frame(Message message) {
  StackFrame frame;
  uint32_t file_id = 0;
  int32_t symbol = 0;
  while (message.next()) {
    if (message.number() == CallChainEntry::kVaddrInFile) frame.rel_pc = message.i64();
    if (message.number() == CallChainEntry::kFileId) file_id = message.u32();
    if (message.number() == CallChainEntry::kSymbolId) symbol = message.i32();
  }
  const auto file = files_.find(file_id);
  if (file == files_.end()) return std::nullopt;
  const std::vector<StringId>& symbols = file->second.symbols;
  frame.mapping = file->second.mapping;
  if (symbol >= 0 && static_cast<size_t>(symbol) < symbols.size())
    frame.name = symbols[static_cast<size_t>(symbol)];
  return sink_.frame(frame);
}

void Reader::read_sample(Message message, uint64_t at) {
  ProfileSample sample;
  sample.clock = clock_;
  sample.source = "simpleperf";
  int64_t tid = 0;
  bool is_known = true;
  frames_.clear();
  while (message.next()) {
    if (message.number() == Sample::kTime) sample.ts = message.i64();
    if (message.number() == Sample::kThreadId) tid = message.i32();
    if (message.number() != Sample::kCallchain || frames_.size() >= kMaxFrames) continue;
    const std::optional<uint32_t> frame = read_frame(message.message());
    if (frame) frames_.push_back(*frame);
    is_known &= frame.has_value();
  }
  time_ = sample.ts;
  if (!is_known) return sink_.count(stats::simpleperf_missing_file_mapping, at);
  if (frames_.empty()) return;
  ThreadName thread;
  thread.tid = tid;
  sample.thread = sink_.thread(thread);
  for (size_t i = frames_.size(); i-- > 0;)
    sample.extra.callsite = sink_.callsite(sample.extra.callsite, frames_[i]);
  write_sample(sink_, sample);
}

void Reader::read_thread(Message message) {
  ThreadName thread;
  thread.pid = 0;
  StringId name = {};
  while (message.next()) {
    if (message.number() == Thread::kThreadId) thread.tid = message.u32();
    if (message.number() == Thread::kProcessId) thread.pid = message.u32();
    if (message.number() == Thread::kThreadName) name = sink_.string(message.bytes());
  }
  if (thread.tid == 0 || thread.pid == 0) return;
  const EventTime time{time_, clock_};
  const uint32_t index = sink_.thread(thread);
  constexpr int64_t kPriority = 0;  // other (spec proto 4.1)
  sink_.event(name ? make_thread_name(time, index, name, kPriority)
                   : make_thread_seen(time, index));
}

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  const Block block = input.all();
  const std::string_view bytes = block.bytes;
  if (bytes.size() >= kHeadBytes) {
    uint16_t version = 0;
    std::memcpy(&version, bytes.data() + kMagic.size(), sizeof version);
    if (version != kVersion)
      return fail(ErrorCode::BadInput, fmt::format("Unsupported simpleperf version: {}", version));
  }
  const size_t first = std::min(kHeadBytes, bytes.size());
  EventSink& sink = chunks.add();
  Reader reader(sink);
  for (Records records(bytes, first); const auto record = records.next();)
    reader.read_file(*record);
  Records records(bytes, first);
  while (const auto record = records.next()) reader.read_record(*record, records.record_at());
  if (records.is_complete()) return {};
  return fail(ErrorCode::BadInput, "Unexpected end of simpleperf_proto file (ERR:tp-corrupt)");
}

Match sniff(const Peek& peek) { return peek.head.starts_with(kMagic) ? Match::Sure : Match::No; }

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "simpleperf_proto",
    .title = "simpleperf report (protobuf)",
    .about =
        "Samples with callstacks as simpleperf report-sample --protobuf writes them. Lost "
        "samples, context switches and meta data have no rows.",
    .times = "MONOTONIC.",
    .tables = "cpu_profile_stack_sample, the stack_profile tables, thread, process.",
    .clock = {.domain = domain::kMonotonic, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::simpleperf_proto
