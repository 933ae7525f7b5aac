// Records of perf.data: samples and process events.
//
// Input: records of a file, with its header, mappings and clocks. Output: samples, kernel events
// and processes of the batch. Called by the reader of perf.data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/perf/header.h"

namespace tracebraid::perf {

enum RecordType : uint32_t {
  kMmap = 1,
  kLost = 2,
  kComm = 3,
  kExit = 4,
  kThrottle = 5,
  kUnthrottle = 6,
  kFork = 7,
  kSample = 9,
  kMmap2 = 10,
  kAux = 11,
  kLostSamples = 13,
  kSwitch = 14,
  kSwitchCpuWide = 15,
  kUserRecords = 64,  // records of the tool from here on
  kHeaderAttr = 64,
  kTracingDataRecord = 66,
  kBuildIdRecord = 67,
  kFinishedRound = 68,
  kAuxTrace = 71,
  kTimeConv = 79,
  kHeaderFeature = 80,
  kCompressed = 81,
  kFinishedInit = 82,
  kCompressed2 = 83
};

inline constexpr uint16_t kCpuModeMask = 7;  // of `misc` of a record
// The pid and tid of a task that has exited so far that the kernel has released them.
inline constexpr uint32_t kGone = ~uint32_t{0};

// Returns the name that the kernel and its tools use; empty for an unknown type.
std::string_view name_of_record(uint32_t type);

struct Record {
  uint32_t type = 0;
  uint16_t misc = 0;
  std::string_view body;  // after the header
  uint64_t at = 0;        // offset in the file
};

struct Sample {
  uint32_t attr = 0;
  uint64_t ip = 0;
  std::optional<uint32_t> pid, tid, cpu;
  std::optional<uint64_t> time, period, count;
  std::string_view callchain;  // of uint64, leaf first
  std::string_view raw;
};
// Returns false if the record is damaged, or of an unknown attr.
bool parse_sample(const Record& record, const Header& header, Sample& sample);

// The fields at the end of other records (sample_id_all).
struct SampleId {
  std::optional<uint32_t> pid, tid, cpu;
  std::optional<uint64_t> time;
};
SampleId parse_sample_id(const Record& record, const Header& header);

// Takes the next record off `data`. Returns nothing at the end, or at damage; in the latter case
// `data` is not empty.
std::optional<Record> take_record(std::string_view& data, uint64_t& at);

}  // namespace tracebraid::perf
