#include "assemble/identity/android_processes.h"

#include <string_view>
#include <type_traits>

namespace tracebraid {

void AndroidProcesses::start(uint32_t upid, int64_t ts, DeferredArgs& args, ArgSource cells) {
  AndroidProcessTable& table = store_.android_processes;
  const uint32_t row = row_of(upid);
  if (OptInt& start = table.fw_start_ts.at(row); start.value == OptInt::kNull) start.value = ts;
  for (const ArgRow& cell : args.rows(cells)) {
    const std::string_view name = store_.strings.get(args.key_of(cells, cell).key);
    table.for_each_column([&]<class T>(std::string_view column, Column<T>& values) {
      if (column != name) return;
      if constexpr (std::is_same_v<T, OptInt>) values.at(row).value = cell.value;
      if constexpr (std::is_same_v<T, StringId>)
        values.at(row) = StringId{static_cast<uint32_t>(cell.value)};
    });
  }
}

void AndroidProcesses::end(uint32_t upid, int64_t ts) {
  store_.android_processes.fw_end_ts.at(row_of(upid)).value = ts;
}

uint32_t AndroidProcesses::row_of(uint32_t upid) {
  AndroidProcessTable& table = store_.android_processes;
  const auto [at, added] = rows_.try_emplace(upid, static_cast<uint32_t>(table.rows()));
  if (!added) return at->second;
  table.for_each_column([](std::string_view, auto& values) { values.append({}); });
  table.upid.at(at->second) = upid;
  return at->second;
}

}  // namespace tracebraid
