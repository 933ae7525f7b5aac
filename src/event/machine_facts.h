// Facts about machines, their CPUs and GPUs, and rows of `metadata`.
#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "event/event.h"
#include "event/names.h"

namespace tracebraid {

// Facts about a machine; -1 and none mean "not given".
struct MachineFacts {
  uint32_t machine = 0;
  StringId name, sysname, release, version, arch;
  StringId android_build_fingerprint, android_device_manufacturer;
  int64_t num_cpus = -1, android_sdk_version = -1, system_ram_bytes = -1;
  int64_t timezone_off_mins = kUnset;
};

struct CpuFacts {
  uint32_t machine = 0;
  uint32_t cpu = 0;
  StringId processor;
  int64_t cluster_id = -1, capacity = -1;
  uint32_t args = kNone;
  std::vector<int64_t> frequencies;
};

struct GpuFacts {
  uint32_t machine = 0;
  uint32_t gpu = 0;  // number on its machine
  StringId name, vendor, model, architecture, uuid, pci_bdf;
  uint32_t args = kNone;
};

// The scope of a row of `metadata` (spec clocks 12.4).
enum class MetadataScope : uint8_t { Global, File, Machine, MachineAndFile };
struct Metadata {
  StringId key;
  MetadataScope scope = MetadataScope::File;
  bool multi = false;
  bool is_repeated = false;  // appends a row, although the key has a single value
  bool is_text = false;
  uint32_t machine = 0;
  int64_t value = 0;
  StringId text;
};

}  // namespace tracebraid
