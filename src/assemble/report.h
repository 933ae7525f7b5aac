// AssembleReport: the problems of assembling, for stats and the import log.
#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "event/batch.h"

namespace tracebraid {

// A stat and its count.
struct AssembleStat {
  StatId stat;
  uint32_t machine;  // row of machine
  FileId file;
  int32_t index = -1;
  int64_t value = 1;
};

// A row for the import log, with args in Store::args.
struct AssembleLog {
  StatId stat;
  FileId file;
  int64_t ts;
  uint32_t arg_set_id;  // kNone if none
};

struct AssembleReport {
  std::vector<AssembleStat> stats;
  std::vector<AssembleLog> log;
};

}  // namespace tracebraid
