#include "engine/timeline_extra.h"

#include <utility>

#include "timeline/timeline.h"

namespace tracebraid {
namespace {

constexpr std::string_view kName = "timeline";

}  // namespace

BraidExtra timeline_extra(const Store& store, unsigned threads) {
  const auto write = [&store, threads](PartSink& sink) -> Result<> {
    timeline::Timeline made(store, {.threads = threads});
    TB_TRY(made.prepare(Stop()));
    return made.write_index(sink);
  };
  return {kName, timeline::kIndexVersion, write};
}

std::optional<timeline::IndexParts> timeline_parts(const Braid& braid) {
  if (braid.are_extras_damaged) return timeline::IndexParts{};
  std::optional<StoredExtra> extra = braid.extra(kName, timeline::kIndexVersion);
  if (!extra) return std::nullopt;
  return timeline::IndexParts{std::move(extra->parts), std::move(extra->is_whole)};
}

}  // namespace tracebraid
