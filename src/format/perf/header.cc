#include "format/perf/header.h"

#include "base/hex.h"
#include "format/perf/bytes.h"

namespace tracebraid::perf {
namespace {

constexpr size_t kMaxAttrs = 4096;
constexpr uint32_t kFeatures = 256;
constexpr size_t kPipeHeader = 16;
constexpr size_t kMinAttrBytes = 64;

enum Feature : uint32_t {
  kTracingData = 1,
  kBuildId = 2,
  kHostname = 3,
  kOsRelease = 4,
  kVersion = 5,
  kArch = 6,
  kNrCpus = 7,
  kCmdline = 11,
  kEventDesc = 12,
  kClockData = 29
};

// Parses strings of features: a length, and that many bytes with NULs at the end.
std::string feature_text(Bytes& bytes) {
  const uint32_t size = bytes.u32();
  return std::string(until_nul(bytes.bytes(size)));
}

void parse_event_descriptions(Bytes bytes, Header& header) {
  const uint32_t count = bytes.u32();
  const uint32_t attr_size = bytes.u32();
  if (attr_size < kMinAttrBytes) return;
  for (uint32_t i = 0; i < count && !bytes.bad() && i < kMaxAttrs; ++i) {
    bytes.skip(attr_size);
    const uint32_t ids = bytes.u32();
    std::string name = feature_text(bytes);
    if (i < header.attrs.size()) header.attrs[i].name = std::move(name);
    for (uint32_t n = 0; n < ids && !bytes.bad(); ++n)
      header.attr_of_id.try_emplace(bytes.u64(), i);
  }
}

void parse_build_ids(std::string_view bytes, Header& header) {
  while (bytes.size() >= 8) {
    Bytes head(bytes);
    head.skip(6);
    const uint16_t size = head.take<uint16_t>();
    if (size < 8 || size > bytes.size()) return;
    parse_build_id(bytes.substr(0, size), header);
    bytes.remove_prefix(size);
  }
}

}  // namespace

std::string name_of_feature(uint32_t feature) {
  // Names from CPUDESC on, including those of features that are read, so that indexes match.
  static constexpr std::string_view kNames[] = {
      "CPUDESC",      "CPUID",         "TOTAL_MEM",       "CMDLINE",      "EVENT_DESC",
      "CPU_TOPOLOGY", "NUMA_TOPOLOGY", "BRANCH_STACK",    "PMU_MAPPINGS", "GROUP_DESC",
      "AUXTRACE",     "STAT",          "CACHE",           "SAMPLE_TIME",  "MEM_TOPOLOGY",
      "CLOCKID",      "DIR_FORMAT",    "BPF_PROG_INFO",   "BPF_BTF",      "COMPRESSED",
      "CPU_PMU_CAPS", "CLOCK_DATA",    "HYBRID_TOPOLOGY", "PMU_CAPS"};
  constexpr uint32_t kFirst = 8;
  if (feature >= kFirst && feature - kFirst < std::size(kNames))
    return std::string(kNames[feature - kFirst]);
  return std::to_string(feature);
}

Attr parse_attr(std::string_view raw) {
  Attr attr;
  Bytes bytes(raw);
  attr.type = bytes.u32();
  const uint32_t size = bytes.u32();
  attr.config = bytes.u64();
  bytes.skip(8);  // period
  attr.sample_type = bytes.u64();
  attr.read_format = bytes.u64();
  const uint64_t flags = bytes.u64();
  attr.exclude_user = (flags >> 4 & 1) != 0;
  attr.exclude_kernel = (flags >> 5 & 1) != 0;
  attr.sample_id_all = (flags >> 18 & 1) != 0;
  const bool use_clock = (flags >> 25 & 1) != 0;
  constexpr size_t kClockAt = 92;
  if (use_clock && size >= kClockAt + 4 && raw.size() >= kClockAt + 4)
    attr.clock = Bytes(raw.substr(kClockAt)).take<int32_t>();
  return attr;
}

uint32_t Header::attr_of(uint64_t id) const {
  if (attrs.size() == 1) return 0;
  const auto at = attr_of_id.find(id);
  return at == attr_of_id.end() ? ~uint32_t{0} : at->second;
}

void parse_build_id(std::string_view record, Header& header) {
  constexpr uint16_t kHasSize = 1 << 15;
  Bytes bytes(record);
  bytes.skip(4);
  const uint16_t misc = bytes.take<uint16_t>();
  bytes.skip(2 + 4);  // size, pid
  const std::string_view id = bytes.bytes(24);
  if (id.size() < 24) return;
  const size_t size =
      (misc & kHasSize) != 0 ? std::min<size_t>(static_cast<uint8_t>(id[20]), 20) : 20;
  header.build_ids[std::string(until_nul(bytes.rest()))] = hex_of(id.substr(0, size));
}

void parse_attr_record(std::string_view record, Header& header) {
  if (header.attrs.size() >= kMaxAttrs || record.size() < 8 + kMinAttrBytes) return;
  const std::string_view body = record.substr(8);
  Bytes bytes(body);
  bytes.skip(4);
  const uint32_t size = bytes.u32();
  if (size < kMinAttrBytes || size > body.size()) return;
  const auto index = static_cast<uint32_t>(header.attrs.size());
  header.attrs.push_back(parse_attr(body.substr(0, size)));
  for (Bytes ids(body.substr(size)); ids.rest().size() >= 8;)
    header.attr_of_id.try_emplace(ids.u64(), index);
}

void parse_feature(uint32_t feature, std::string_view raw, Header& header) {
  Bytes bytes(raw);
  switch (feature) {
    case kTracingData:
      header.tracing = parse_tracing_data(raw);
      return;
    case kBuildId:
      return parse_build_ids(raw, header);
    case kHostname:
      header.hostname = feature_text(bytes);
      return;
    case kOsRelease:
      header.release = feature_text(bytes);
      return;
    case kVersion:
      header.version = feature_text(bytes);
      return;
    case kArch:
      header.arch = feature_text(bytes);
      return;
    case kNrCpus:
      header.cpus = bytes.u32();
      return;
    case kCmdline: {
      const uint32_t words = bytes.u32();
      for (uint32_t i = 0; i < words && !bytes.bad(); ++i)
        header.cmdline += (i == 0 ? "" : " ") + feature_text(bytes);
      return;
    }
    case kEventDesc:
      return parse_event_descriptions(bytes, header);
    case kClockData: {
      bytes.skip(4);  // version
      ClockData data;
      data.clock = bytes.take<int32_t>();
      data.wall_ns = bytes.u64();
      data.clock_ns = bytes.u64();
      if (!bytes.bad()) header.clock_data = data;
      return;
    }
    default:
      header.unused_features.push_back(feature);
  }
}

Result<Header> parse_header(std::string_view file) {
  Header header;
  Bytes bytes(file);
  if (bytes.bytes(kMagic.size()) != kMagic)
    return fail(ErrorCode::BadInput, "not a perf.data file of this machine's byte order");
  const uint64_t size = bytes.u64();
  if (size == kPipeHeader) {  // records follow
    header.data = file.substr(std::min(kPipeHeader, file.size()));
    header.data_at = kPipeHeader;
    return header;
  }
  const uint64_t attr_size = bytes.u64();
  const uint64_t attrs_at = bytes.u64(), attrs_size = bytes.u64();
  const uint64_t data_at = bytes.u64(), data_size = bytes.u64();
  bytes.skip(16);  // event types, of old
  uint64_t flags[kFeatures / 64];
  for (uint64_t& word : flags) word = bytes.u64();
  if (bytes.bad() || attr_size < kMinAttrBytes + 16)
    return fail(ErrorCode::BadInput, "the header of the perf.data file is damaged");

  header.is_cut = is_cut(file, attrs_at, attrs_size) || is_cut(file, data_at, data_size);
  const std::string_view attrs = section(file, attrs_at, attrs_size);
  for (size_t at = 0; at + attr_size <= attrs.size() && header.attrs.size() < kMaxAttrs;
       at += static_cast<size_t>(attr_size)) {
    const std::string_view entry = attrs.substr(at, static_cast<size_t>(attr_size));
    Bytes ids(entry.substr(entry.size() - 16));
    const uint64_t ids_at = ids.u64(), ids_size = ids.u64();
    const auto index = static_cast<uint32_t>(header.attrs.size());
    header.is_cut |= is_cut(file, ids_at, ids_size);
    header.attrs.push_back(parse_attr(entry.substr(0, entry.size() - 16)));
    for (Bytes id(section(file, ids_at, ids_size)); id.rest().size() >= 8;)
      header.attr_of_id.try_emplace(id.u64(), index);
  }
  header.data = section(file, data_at, data_size);
  header.data_at = data_at;

  uint64_t table_at = 0;
  if (__builtin_add_overflow(data_at, data_size, &table_at)) return header;
  Bytes table(section(file, table_at, kFeatures * 16));
  for (uint32_t feature = 0; feature < kFeatures; ++feature) {
    if ((flags[feature / 64] >> (feature % 64) & 1) == 0) continue;
    const uint64_t at = table.u64(), length = table.u64();
    header.is_cut |= table.bad() || is_cut(file, at, length);
    if (table.bad()) break;
    parse_feature(feature, section(file, at, length), header);
  }
  return header;
}

}  // namespace tracebraid::perf
