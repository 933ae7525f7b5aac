// Machines: ids and descriptions of machines in the exported file.
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
  // This sequence has no incremental state, because its events would belong to the last thread it
  // describes.
  Writer names(uint32_t machine) const { return {ids_[machine], 4 * machine + 3}; }
  Writer samples(uint32_t machine) const { return {ids_[machine], 4 * machine + 4}; }
  uint32_t id(uint32_t machine) const { return ids_[machine]; }
  // Rows of machine, the machine of the timeline first.
  std::vector<uint32_t> in_order() const;

  // Writes SystemInfo and CPUs of the selected machines. Must be after Clocks::write(): a reader
  // places a machine when it converts its first time.
  void write(const Selection& selection, PacketFile& file) const;

 private:
  void write_system(uint32_t machine, PacketFile& file) const;
  void write_cpus(uint32_t machine, PacketFile& file) const;

  const Store& store_;
  std::vector<uint32_t> ids_;  // by row of machine
};

}  // namespace tracebraid::perfetto
