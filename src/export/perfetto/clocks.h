// Clocks: what the clocks of the machines showed, for two kinds of readers.
//
// Readers that follow the reference's rules alone (docs/exports.md) need few readings, and any
// other would move the events of a machine. All events are on BOOTTIME of their machine, which is
// trace time. A first snapshot of each machine holds BOOTTIME alone, with the same reading for all
// machines. Only the machine of the timeline has readings of other clocks that such readers use.
// Our own reader takes all readings from a field of our own (format/proto/recording/own.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "export/perfetto/descriptors.h"
#include "export/perfetto/machines.h"
#include "export/source.h"

namespace tracebraid::perfetto {

// A clock as other programs convert it to trace time: by the step of the last reading before.
class SteppedClock {
 public:
  // Ignores a reading that goes back, because readers would refuse the clock.
  void add(int64_t ts, int64_t value);
  bool empty() const { return readings_.empty(); }
  // Keeps the first reading only, so that at() is exact.
  void keep_first() { readings_.resize(1); }

  // Returns the reading that is converted to `ts`, or to the nearest time before if there is none.
  int64_t at(int64_t ts) const;
  bool is_exact(int64_t ts) const { return time_of(at(ts)) == ts; }

  struct Reading {
    int64_t ts, value;
  };
  const std::vector<Reading>& readings() const { return readings_; }

 private:
  int64_t time_of(int64_t value) const;

  std::vector<Reading> readings_;
};

class Clocks {
 public:
  Clocks(const ExportSource& source, const Selection& selection, const Machines& machines,
         const Descriptors& descriptors, PacketFile& file);

  // Writes the snapshots before all events. Must be first in the file.
  void write() const;
  // Writes the clocks of times inside events, for machines other than that of the timeline. A
  // reader has placed the machine by then. Must be after Machines::write().
  void write_later() const;

  // The clock of logs of all machines, and of heap dumps of one machine.
  int64_t realtime(int64_t ts) const { return realtime_.at(file_.time(ts)); }
  int64_t coarse_time(uint32_t machine, int64_t ts) const {
    return coarse_.at(machine).at(file_.time(ts));
  }

 private:
  using ByDomain = std::map<uint32_t, SteppedClock>;

  ByDomain clocks_of(uint32_t machine) const;
  void find_realtime(const Descriptors& descriptors);
  void find_coarse();
  int64_t first_time() const;
  // Calls `use` with each group of rows of clock_snapshot that are readings of the machine at one
  // moment.
  template <class Use>
  void for_each_moment(uint32_t machine, Use use) const;
  void write_first(uint32_t machine) const;
  void write_pairs(uint32_t machine, uint32_t domain, const SteppedClock& clock) const;

  const Store& store_;
  const Selection& selection_;
  const Machines& machines_;
  PacketFile& file_;
  uint32_t trace_clock_;           // domain
  std::vector<bool> is_measured_;  // by snapshot id: whether it is no statement of the merge
  SteppedClock realtime_;
  std::vector<bool> has_logs_;               // by machine
  std::map<uint32_t, SteppedClock> coarse_;  // by machine with heap dumps
};

}  // namespace tracebraid::perfetto
