#include "engine/timeline_tables.h"

#include "tables/store.h"

namespace tracebraid {
namespace {

constexpr std::string_view kShared[] = {MachineTable::kName,
                                        TraceFileTable::kName,
                                        ProcessTable::kName,
                                        ThreadTable::kName,
                                        CpuTable::kName,
                                        TrackTable::kName,
                                        FlowTable::kName,
                                        FlowViolationTable::kName,
                                        PlacementTable::kName,
                                        ArgsTable::kName,
                                        JsonEventColorTable::kName,
                                        JsonObjectInstanceTable::kName};

}  // namespace

Result<> verify_timeline_tables(const VerifyTable& verify) {
  for (const std::string_view table : kShared) TB_TRY(verify(table));
  return {};
}

}  // namespace tracebraid
