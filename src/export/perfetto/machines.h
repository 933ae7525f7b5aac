// Machines: their ids, their clocks and what the trace says of each, in the exported file.
//
// There is one timeline. BOOTTIME of each machine is set to it: the file's packets are in that
// clock, snapshots relate the other clocks to it, and a remote clock sync without offset
// relates the machines.
#pragma once

#include <vector>

#include "export/perfetto/packets.h"
#include "export/selection.h"
#include "tables/store.h"

namespace tracebraid::perfetto {

class Machines {
 public:
  explicit Machines(const Store& store);

  Writer events(uint32_t machine) const { return {ids_[machine], 4 * machine + 1}; }
  Writer kernel(uint32_t machine) const { return {ids_[machine], 4 * machine + 2}; }
  // Never has incremental state: or the last thread that it describes would be who writes.
  Writer names(uint32_t machine) const { return {ids_[machine], 4 * machine + 3}; }
  Writer samples(uint32_t machine) const { return {ids_[machine], 4 * machine + 4}; }
  uint32_t id(uint32_t machine) const { return ids_[machine]; }
  // Rows of machine, the one whose clock is the timeline first.
  std::vector<uint32_t> in_order() const;

  // Clocks, SystemInfo and CPUs of those that are taken. Must open the file.
  void write(const Selection& selection, PacketFile& file) const;

 private:
  void write_clocks(uint32_t machine, PacketFile& file) const;
  void write_sync(uint32_t machine, PacketFile& file) const;
  void write_system(uint32_t machine, PacketFile& file) const;
  void write_cpus(uint32_t machine, PacketFile& file) const;

  const Store& store_;
  std::vector<uint32_t> ids_;  // by row of machine
  bool has_clocks_ = false;
};

}  // namespace tracebraid::perfetto
