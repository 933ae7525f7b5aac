#include "format/perf/records.h"

#include "format/perf/bytes.h"

namespace tracebraid::perf {
namespace {

constexpr size_t kHeaderBytes = 8;
enum ReadBit : uint64_t { kEnabled = 1, kRunning = 2, kReadId = 4, kGroup = 8, kReadLost = 16 };

// Returns the id of a sample, if all attrs agree on its position.
uint64_t id_of(const Record& record, const Header& header) {
  if (header.attrs.size() <= 1) return 0;
  const uint64_t type = header.attrs.front().sample_type;
  Bytes bytes(record.body);
  if ((type & kIdentifier) != 0) return bytes.u64();
  if ((type & kId) == 0) return 0;
  for (const uint64_t before : {kIp, kTid, kTime, kAddr})
    if ((type & before) != 0) bytes.skip(8);
  return bytes.u64();
}

// Takes the value of the event that made the sample: the first of a group.
uint64_t take_read(Bytes& bytes, uint64_t format) {
  if ((format & kGroup) == 0) {
    const uint64_t value = bytes.u64();
    for (const uint64_t bit : {kEnabled, kRunning, kReadId, kReadLost})
      if ((format & bit) != 0) bytes.skip(8);
    return value;
  }
  const uint64_t count = bytes.u64();
  for (const uint64_t bit : {kEnabled, kRunning})
    if ((format & bit) != 0) bytes.skip(8);
  uint64_t first = 0;
  for (uint64_t i = 0; i < count && !bytes.bad(); ++i) {
    const uint64_t value = bytes.u64();
    if (i == 0) first = value;
    for (const uint64_t bit : {kReadId, kReadLost})
      if ((format & bit) != 0) bytes.skip(8);
  }
  return first;
}

}  // namespace

std::string_view name_of_record(uint32_t type) {
  static constexpr std::string_view kOfKernel[] = {"",
                                                   "MMAP",
                                                   "LOST",
                                                   "COMM",
                                                   "EXIT",
                                                   "THROTTLE",
                                                   "UNTHROTTLE",
                                                   "FORK",
                                                   "READ",
                                                   "SAMPLE",
                                                   "MMAP2",
                                                   "AUX",
                                                   "ITRACE_START",
                                                   "LOST_SAMPLES",
                                                   "SWITCH",
                                                   "SWITCH_CPU_WIDE",
                                                   "NAMESPACES",
                                                   "KSYMBOL",
                                                   "BPF_EVENT",
                                                   "CGROUP",
                                                   "TEXT_POKE",
                                                   "AUX_OUTPUT_HW_ID",
                                                   "CALLCHAIN_DEFERRED"};
  static constexpr std::string_view kOfTool[] = {
      "HEADER_ATTR", "EVENT_TYPE",     "TRACING_DATA", "BUILD_ID",       "FINISHED_ROUND",
      "ID_INDEX",    "AUXTRACE_INFO",  "AUXTRACE",     "AUXTRACE_ERROR", "THREAD_MAP",
      "CPU_MAP",     "STAT_CONFIG",    "STAT",         "STAT_ROUND",     "EVENT_UPDATE",
      "TIME_CONV",   "HEADER_FEATURE", "COMPRESSED",   "FINISHED_INIT",  "COMPRESSED2",
      "BPF_METADATA"};
  if (type < std::size(kOfKernel)) return kOfKernel[type];
  if (type >= kUserRecords && type - kUserRecords < std::size(kOfTool))
    return kOfTool[type - kUserRecords];
  return {};
}

std::optional<Record> take_record(std::string_view& data, uint64_t& at) {
  if (data.size() < kHeaderBytes) return std::nullopt;
  Bytes bytes(data);
  Record record;
  record.type = bytes.u32();
  record.misc = bytes.take<uint16_t>();
  const auto size = bytes.take<uint16_t>();
  if (size < kHeaderBytes || size > data.size()) return std::nullopt;
  record.body = data.substr(kHeaderBytes, size - kHeaderBytes);
  record.at = at;
  data.remove_prefix(size);
  at += size;
  return record;
}

bool parse_sample(const Record& record, const Header& header, Sample& sample) {
  sample = {};
  sample.attr = header.attr_of(id_of(record, header));
  if (sample.attr >= header.attrs.size()) return false;
  const Attr& attr = header.attrs[sample.attr];
  const auto has = [&](uint64_t bit) { return (attr.sample_type & bit) != 0; };
  Bytes bytes(record.body);
  if (has(kIdentifier)) bytes.skip(8);
  if (has(kIp)) sample.ip = bytes.u64();
  if (has(kTid)) {
    sample.pid = bytes.u32();
    sample.tid = bytes.u32();
  }
  if (has(kTime)) sample.time = bytes.u64();
  if (has(kAddr)) bytes.skip(8);
  if (has(kId)) bytes.skip(8);
  if (has(kStreamId)) bytes.skip(8);
  if (has(kCpu)) {
    sample.cpu = bytes.u32();
    bytes.skip(4);
  }
  if (has(kPeriod)) sample.period = bytes.u64();
  if (has(kRead)) sample.count = take_read(bytes, attr.read_format);
  if (has(kCallchain)) {
    const uint64_t count = bytes.u64();
    if (count > bytes.rest().size() / sizeof(uint64_t)) return false;
    sample.callchain = bytes.bytes(count * sizeof(uint64_t));
  }
  if (has(kRaw)) sample.raw = bytes.bytes(bytes.u32());
  return !bytes.bad();
}

SampleId parse_sample_id(const Record& record, const Header& header) {
  SampleId id;
  if (header.attrs.empty() || !header.attrs.front().sample_id_all) return id;
  const uint64_t type = header.attrs.front().sample_type;
  size_t size = 0;
  for (const uint64_t bit : {kTid, kTime, kId, kStreamId, kCpu, kIdentifier})
    size += (type & bit) != 0 ? 8 : 0;
  if (size > record.body.size()) return id;
  Bytes bytes(record.body.substr(record.body.size() - size));
  if ((type & kTid) != 0) {
    id.pid = bytes.u32();
    id.tid = bytes.u32();
  }
  if ((type & kTime) != 0) id.time = bytes.u64();
  if ((type & kId) != 0) bytes.skip(8);
  if ((type & kStreamId) != 0) bytes.skip(8);
  if ((type & kCpu) != 0) id.cpu = bytes.u32();
  return id;
}

}  // namespace tracebraid::perf
