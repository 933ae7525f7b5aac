#include "event/stat.h"

namespace tracebraid {
namespace {

constexpr StatKind kKinds[] = {
#define TB_STAT(name, shape, severity, source, scope) \
  {#name, StatShape::shape, Severity::severity, StatSource::source, StatScope::scope},
#include "event/stats.inc"
#undef TB_STAT
};

}  // namespace

std::span<const StatKind> stat_kinds() { return kKinds; }

const StatKind& kind_of(Stat stat) { return kKinds[static_cast<size_t>(stat)]; }

std::string_view name_of(Severity severity) {
  constexpr std::string_view kNames[] = {"info", "notice", "data_loss", "error"};
  return kNames[static_cast<size_t>(severity)];
}

std::string_view name_of(StatSource source) {
  return source == StatSource::Trace ? "trace" : "analysis";
}

}  // namespace tracebraid
