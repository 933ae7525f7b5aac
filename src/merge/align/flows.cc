#include "merge/align/flows.h"

#include <algorithm>

namespace tracebraid::align {
namespace {

constexpr size_t kMostSteps = 16;  // of a flow
using Role = FlowMoment::Role;

// Adds the links of the moments of one id.
void add_flow(std::span<const FlowMoment> flow, std::span<const Recording> recordings,
              CauseLinks& links) {
  const auto count = [&](Role role) {
    return static_cast<size_t>(std::ranges::count(flow, role, &FlowMoment::role));
  };
  if (count(Role::Start) > 1 || count(Role::End) > 1 || count(Role::Step) > kMostSteps) return;
  // Steps are in no known order, but after the start and before the end.
  for (const FlowMoment& cause : flow)
    for (const FlowMoment& effect : flow)
      if (cause.role < effect.role)
        add_link(
            cause.recording, cause.cause, effect.recording, effect.effect,
            {.key = cause.key, .id = cause.id, .is_global = cause.is_global && effect.is_global},
            recordings, links);
}

}  // namespace

CauseLinks link_flows(const FlowMoments& flows) {
  // Sorts all moments once by key, so that recordings are never compared in pairs.
  std::vector<FlowMoment> moments = flows.moments;
  std::ranges::stable_sort(moments, {}, &FlowMoment::key);
  CauseLinks links;
  const std::span<const FlowMoment> all = moments;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].key == all[begin].key) ++end;
    add_flow(all.subspan(begin, end - begin), flows.recordings, links);
  }
  sort_links(links);
  return links;
}

}  // namespace tracebraid::align
