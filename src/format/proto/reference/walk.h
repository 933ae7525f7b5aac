// Walks the packets of one Perfetto trace by the rules of the reference alone (spec clocks 4.1 and
// 7): which events a strict reader places, and which it drops.
//
// Input: the bytes of a file, and what the manifest says about it. Output: a Tally, or the error
// that ends the import. Called by merge/reference/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "clock/reference/tracker.h"
#include "container/input.h"
#include "format/proto/reference/tally.h"

namespace tracebraid::reference {

// What the manifest says about a file (spec clocks 10.6).
struct FileRules {
  std::optional<uint64_t> base;        // raw id of the machine of packets without an id
  std::map<uint64_t, uint64_t> remap;  // embedded id -> raw id
  bool is_of_one_machine = false;      // `machine`: other machines are an error
  bool is_pinned = false;              // clock snapshots are an error
};

struct Walked {
  Tally tally;
  std::optional<Error> error;            // ends the import; later packets are lost
  uint64_t error_at = 0;                 // offset in the uncompressed file
  std::optional<uint64_t> truncated_at;  // the file ends within a packet
};

// Memory: that of the clocks, of the sequences, and about 40 bytes for each packet whose time a
// later snapshot may give.
Walked walk(Input& input, uint32_t file, const FileRules& rules, Shared& shared);

}  // namespace tracebraid::reference
