#include "assemble/flows/causality.h"

#include <algorithm>
#include <vector>

namespace tracebraid {

void Causality::note(const At& at, bool is_start) {
  if (!watches_) return;
  Flow& flow = flows_[{at.kind, at.id, at.text_id, at.name, at.category}];
  bool& has = is_start ? flow.has_start : flow.has_end;
  Moment& moment = is_start ? flow.start : flow.end;
  if (has && std::tie(moment.ts, moment.scope) <= std::tie(at.ts, at.scope)) return;
  has = true;
  moment = {at.scope, at.ts, at.slice};
}

void Causality::fill(std::span<const uint32_t> new_rows, Store& store) const {
  struct Bound {
    int64_t flows = 0, violations = 0, least = INT64_MAX;
  };
  std::map<std::pair<Scope, Scope>, Bound> bounds;
  struct Violation {
    uint64_t id;
    Moment start, end;
  };
  std::vector<Violation> violations;
  for (const auto& [key, flow] : flows_) {
    if (!flow.has_start || !flow.has_end || flow.start.scope == flow.end.scope) continue;
    int64_t slack = 0;
    if (__builtin_sub_overflow(flow.end.ts, flow.start.ts, &slack)) continue;
    Bound& bound = bounds[{flow.start.scope, flow.end.scope}];
    ++bound.flows;
    bound.least = std::min(bound.least, slack);
    if (slack >= 0) continue;
    ++bound.violations;
    violations.push_back({std::get<uint64_t>(key), flow.start, flow.end});
  }
  std::ranges::sort(violations, {}, [](const Violation& v) {
    return std::tuple(v.start.ts, v.start.slice, v.end.slice);
  });
  const auto row = [&](uint32_t slice) {
    return OptRow{slice < new_rows.size() ? new_rows[slice] : slice};
  };
  for (const Violation& v : violations) {
    FlowViolationTable& table = store.flow_violations;
    table.trace_id.append({static_cast<int64_t>(v.id)});
    table.slice_out.append(row(v.start.slice));
    table.slice_in.append(row(v.end.slice));
    table.start_ts.append(v.start.ts);
    table.end_ts.append(v.end.ts);
    table.off_by_at_least_ns.append(v.start.ts - v.end.ts);
  }
  for (const auto& [scopes, bound] : bounds) {
    FlowBoundTable& table = store.flow_bounds;
    table.from_trace_id.append(scopes.first.first.row);
    table.from_machine_id.append(scopes.first.second);
    table.to_trace_id.append(scopes.second.first.row);
    table.to_machine_id.append(scopes.second.second);
    table.flows.append(bound.flows);
    table.violations.append(bound.violations);
    table.least_ns.append(bound.least);
  }
}

}  // namespace tracebraid
