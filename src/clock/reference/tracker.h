// Tracker: the clocks of one machine in one file by the rules of the reference alone (spec clocks 4
// to 6 and 8). The place of a machine is decided when it converts its first time.
//
// Input: snapshots and times in file order. Output: trace times, or the stat of each failure.
// Called by format/proto/reference/ for packets and by merge/reference/ for other files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clock/reference/graph.h"

namespace tracebraid::reference {

// The machines of an input (spec clocks 4). A row of `machine` is an index of `list`.
struct Machines {
  struct Machine {
    uint64_t raw_id = 0;
    std::string name;
  };
  std::vector<Machine> list;
  std::map<uint64_t, uint32_t> by_raw_id;

  uint32_t row(uint64_t raw_id);
};

// A claim of trace time that replaced the claim of another machine of the file (spec clocks 5).
struct Takeover {
  Node from, to;
  Place place;
};

// What all files of an input share.
struct Shared {
  Graph graph;
  std::optional<uint32_t> owner;           // the file that claimed trace time
  bool has_trace_time = false;             // by a claim or the manifest
  std::optional<Takeover> takeover;        // the last
  std::map<uint32_t, uint32_t> primaries;  // the first file of each machine
  Machines machines;
  int64_t latest = 0;  // the largest trace time so far, ns
  uint64_t at = 0;     // offset of the packet that is read, for refusals
};

// A clock as a file names it.
struct FileClock {
  uint32_t clock = 0, sequence = 0;
};
struct FileReading {
  FileClock clock;
  int64_t ticks = 0, unit = 1;
  bool is_incremental = false;
};

class Tracker {
 public:
  // `format_clock` relates the machine to trace time at the first conversion; 0: none.
  Tracker(Shared& shared, uint32_t file, uint32_t machine, uint32_t format_clock);

  void claim(const FileClock& clock);
  void snapshot(const std::vector<FileReading>& readings);
  // The elements of a RemoteClockSync: the readings of client and host.
  using Element = std::pair<std::vector<FileReading>, std::vector<FileReading>>;
  void remote_sync(const std::vector<Element>& elements);

  struct Outcome {
    std::optional<int64_t> ns;
    Failure failure = Failure::NoPath;  // if there is no time
  };
  Outcome to_trace_time(const FileClock& clock, int64_t ticks);

  Node qualify(const FileClock& clock) const;
  uint32_t machine() const { return machine_; }

  std::optional<FileClock> default_clock;

 private:
  void tie(const Node& a, const Node& b);
  void place();

  Shared& shared_;
  uint32_t file_, machine_, format_clock_, tag_ = 0;
  bool is_primary_, has_snapshot_ = false, is_placed_;
  uint64_t conversions_ = 0;
};

}  // namespace tracebraid::reference
