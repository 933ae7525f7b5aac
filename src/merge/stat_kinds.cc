#include "merge/stat_kinds.h"

#include <array>

#include "assemble/stats.h"
#include "event/stats.h"
#include "format/android_dumpstate/stats.h"
#include "format/battor/stats.h"
#include "format/common/stats.h"
#include "format/fuchsia/stats.h"
#include "format/gecko/stats.h"
#include "format/instruments_xml/stats.h"
#include "format/json/stats.h"
#include "format/ninja_log/stats.h"
#include "format/perf/stats.h"
#include "format/perf_text/stats.h"
#include "format/proto/etw/stats.h"
#include "format/proto/ftrace/stats.h"
#include "format/proto/gpu/stats.h"
#include "format/proto/profile/stats.h"
#include "format/proto/recording/stats.h"
#include "format/proto/stats.h"
#include "format/proto/system/stats.h"
#include "format/proto/track_event/stats.h"
#include "format/proto/window/stats.h"
#include "format/simpleperf_proto/stats.h"
#include "format/speedscope/stats.h"
#include "format/strace/stats.h"
#include "format/systrace/stats.h"
#include "kernel/stats.h"
#include "merge/locate/stats.h"
#include "merge/stats.h"
#include "merge/uncounted_stats.h"

namespace tracebraid {
namespace {

constexpr StatKind kDeclared[] = {
#define TB_STAT_KIND(key, name, shape, severity, source, scope, level, description) \
  {key,                                                                             \
   #name,                                                                           \
   StatShape::shape,                                                                \
   Severity::severity,                                                              \
   StatSource::source,                                                              \
   StatScope::scope,                                                                \
   StatLevel::level,                                                                \
   description},
    // clang-format off
    TB_EVENT_STATS(TB_STAT_KIND)
    TB_UNCOUNTED_STATS(TB_STAT_KIND)
    TB_ANDROID_DUMPSTATE_STATS(TB_STAT_KIND)
    TB_ASSEMBLE_STATS(TB_STAT_KIND)
    TB_BATTOR_STATS(TB_STAT_KIND)
    TB_FORMAT_STATS(TB_STAT_KIND)
    TB_FUCHSIA_STATS(TB_STAT_KIND)
    TB_GECKO_STATS(TB_STAT_KIND)
    TB_INSTRUMENTS_XML_STATS(TB_STAT_KIND)
    TB_JSON_STATS(TB_STAT_KIND)
    TB_KERNEL_STATS(TB_STAT_KIND)
    TB_NINJA_LOG_STATS(TB_STAT_KIND)
    TB_PERF_STATS(TB_STAT_KIND)
    TB_PERF_TEXT_STATS(TB_STAT_KIND)
    TB_PROTO_STATS(TB_STAT_KIND)
    TB_PROTO_ETW_STATS(TB_STAT_KIND)
    TB_PROTO_FTRACE_STATS(TB_STAT_KIND)
    TB_PROTO_GPU_STATS(TB_STAT_KIND)
    TB_PROTO_PROFILE_STATS(TB_STAT_KIND)
    TB_PROTO_RECORDING_STATS(TB_STAT_KIND)
    TB_PROTO_SYSTEM_STATS(TB_STAT_KIND)
    TB_PROTO_TRACK_EVENT_STATS(TB_STAT_KIND)
    TB_PROTO_WINDOW_STATS(TB_STAT_KIND)
    TB_SIMPLEPERF_STATS(TB_STAT_KIND)
    TB_SPEEDSCOPE_STATS(TB_STAT_KIND)
    TB_STRACE_STATS(TB_STAT_KIND)
    TB_SYSTRACE_STATS(TB_STAT_KIND)
    TB_MERGE_STATS(TB_STAT_KIND)
    TB_MERGE_LOCATE_STATS(TB_STAT_KIND)
// clang-format on
#undef TB_STAT_KIND
};

// Fails to compile when a key is missing or given twice, or a description is not a sentence.
consteval auto sort_by_key() {
  std::array<StatKind, std::size(kDeclared)> sorted{};
  for (const StatKind& kind : kDeclared) {
    if (kind.key >= sorted.size()) throw "a key is missing";
    if (!sorted[kind.key].name.empty()) throw "two stats have the same key";
    if (!kind.description.ends_with('.')) throw "a stat has no description";
    sorted[kind.key] = kind;
  }
  return sorted;
}

constexpr auto kKinds = sort_by_key();

}  // namespace

std::span<const StatKind> stat_kinds() { return kKinds; }

const StatKind& kind_of(StatId stat) { return kKinds[static_cast<size_t>(stat)]; }

}  // namespace tracebraid
