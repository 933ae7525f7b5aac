// The head of a perf.data file: recorded events, and facts about the machine
// (Documentation/perf.data-file-format.txt of the kernel).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/perf/tracing_data.h"

namespace tracebraid::perf {

// Bits of Attr::sample_type.
enum SampleBit : uint64_t {
  kIp = 1,
  kTid = 1 << 1,
  kTime = 1 << 2,
  kAddr = 1 << 3,
  kRead = 1 << 4,
  kCallchain = 1 << 5,
  kId = 1 << 6,
  kCpu = 1 << 7,
  kPeriod = 1 << 8,
  kStreamId = 1 << 9,
  kRaw = 1 << 10,
  kIdentifier = 1 << 16
};

// The used fields of perf_event_attr.
struct Attr {
  uint32_t type = 0;
  uint64_t config = 0;
  uint64_t sample_type = 0, read_format = 0;
  bool sample_id_all = false, exclude_user = false, exclude_kernel = false;
  std::optional<int32_t> clock;  // clockid_t; none: perf's own
  std::string name;              // from EVENT_DESC or the tracepoint; empty if not given
};
inline constexpr uint32_t kTracepointType = 2;
Attr parse_attr(std::string_view bytes);

// Two clocks at one moment, ns.
struct ClockData {
  int32_t clock = 0;  // clockid_t
  uint64_t wall_ns = 0, clock_ns = 0;
};

// ns of perf's clock = zero + (ticks of the CPU's counter * multiplier >> shift).
struct TimeConversion {
  uint32_t shift = 0;  // below 64
  uint64_t multiplier = 1, zero = 0;
};

struct Header {
  std::vector<Attr> attrs;
  std::map<uint64_t, uint32_t> attr_of_id;
  std::string_view data;                                      // the records
  uint64_t data_at = 0;                                       // offset in the file
  std::map<std::string, std::string, std::less<>> build_ids;  // hex, by path
  std::string hostname, release, version, arch, cmdline;
  int64_t cpus = -1;
  std::optional<ClockData> clock_data;
  std::optional<TimeConversion> time_conversion;
  TracingData tracing;
  std::vector<uint32_t> unused_features;
  bool is_cut = false;  // whether the file ends before a section that the head refers to

  // Returns the index of the attr of an id; the only attr if there is just one.
  uint32_t attr_of(uint64_t id) const;
};

inline constexpr std::string_view kMagic = "PERFILE2";

Result<Header> parse_header(std::string_view file);
// Parses one feature, which pipes carry as records.
void parse_feature(uint32_t feature, std::string_view bytes, Header& header);
// Returns the name that the kernel's tools use.
std::string name_of_feature(uint32_t feature);
// Parses records of the BUILD_ID feature.
void parse_build_id(std::string_view record, Header& header);
// Parses HEADER_ATTR of a pipe: an attr and its ids.
void parse_attr_record(std::string_view record, Header& header);

}  // namespace tracebraid::perf
