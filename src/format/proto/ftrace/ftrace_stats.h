// FtraceStats: the recorder's statistics of its buffers (spec proto 5.6).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "format/proto/packet_info.h"
#include "format/proto/recording/latest_stats.h"

namespace tracebraid::proto {

// Counts at the start of the recording, for the difference at its end: by stat, and CPU or -1.
using FtraceCounts = absl::flat_hash_map<std::pair<StatId, int32_t>, int64_t>;

// If several packets have the same count, the last one applies. Returns an Error only for errors of
// the recorder that the specification makes fatal.
Result<> read_ftrace_stats(const PacketInfo& packet, std::string_view message,
                           FtraceCounts& at_start, LatestStats& stats, EventSink& sink);

}  // namespace tracebraid::proto
