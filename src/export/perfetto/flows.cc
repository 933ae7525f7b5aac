#include "export/perfetto/flows.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "event/flow_join.h"
#include "format/proto/own.h"

namespace tracebraid::perfetto {
namespace {

// An id that flows between machines may have: 64 bits that look random.
uint64_t random_looking(uint64_t number) {
  for (uint64_t seed = number + 1;; seed += uint64_t{1} << 32) {
    uint64_t id = seed * 0x9E3779B97F4A7C15;
    id ^= id >> 29;
    id *= 0xBF58476D1CE4E5B9;
    id &= ~proto::own::kAnchor;
    if (is_evidently_global(id)) return id;
  }
}

class Marking {
 public:
  Marking(const Store& store, const Descriptors& descriptors)
      : store_(store), descriptors_(descriptors) {}

  FlowMarks run() && {
    // An id means one flow on each machine, or, if it is meant for all of them, one flow.
    absl::flat_hash_map<std::pair<uint32_t, uint64_t>, std::vector<uint32_t>> chains;
    const FlowTable& flows = store_.flows;
    for (uint32_t row = 0; row < flows.rows(); ++row) {
      if (!is_taken(flows.slice_out[row]) || !is_taken(flows.slice_in[row])) continue;
      if (flows.trace_id[row].value == OptInt::kNull) {
        mark_alone(row);
        continue;
      }
      const auto id = static_cast<uint64_t>(flows.trace_id[row].value);
      const uint32_t scope =
          is_evidently_global(id) ? OptRow::kNull : machine(flows.slice_out[row]);
      chains[{scope, id}].push_back(row);
    }
    for (const auto& [of, rows] : chains) mark_chain(of.second, rows);
    std::ranges::stable_sort(marks_.marks, {}, &FlowMark::slice);
    return std::move(marks_);
  }

 private:
  bool is_taken(uint32_t slice) const {
    return descriptors_.track_uuid(store_.slices.track_id[slice]) != 0;
  }
  uint32_t machine(uint32_t slice) const {
    return store_.tracks.machine_id[store_.slices.track_id[slice]];
  }
  bool crosses(uint32_t row) const {
    return machine(store_.flows.slice_out[row]) != machine(store_.flows.slice_in[row]);
  }

  // Whether reading the ids in the order of slices gives these rows again.
  bool is_chain(uint64_t id, const std::vector<uint32_t>& rows) const {
    const FlowTable& flows = store_.flows;
    if ((id & proto::own::kAnchor) != 0) return false;
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint32_t from = flows.slice_out[rows[i]], to = flows.slice_in[rows[i]];
      if (from >= to || (crosses(rows[i]) && !is_evidently_global(id))) return false;
      if (i != 0 && from != flows.slice_in[rows[i - 1]] && from <= flows.slice_in[rows[i - 1]])
        return false;
    }
    return true;
  }

  void mark_chain(uint64_t id, const std::vector<uint32_t>& rows) {
    const FlowTable& flows = store_.flows;
    if (!is_chain(id, rows)) {
      for (const uint32_t row : rows) mark_alone(row);
      marks_.new_ids += rows.size();
      return;
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint32_t from = flows.slice_out[rows[i]], to = flows.slice_in[rows[i]];
      const bool goes_on = i + 1 < rows.size() && flows.slice_out[rows[i + 1]] == to;
      if (i == 0 || from != flows.slice_in[rows[i - 1]]) marks_.marks.push_back({from, false, id});
      marks_.marks.push_back({to, !goes_on, id});
    }
    marks_.rows += rows.size();
  }

  void mark_alone(uint32_t row) {
    const uint64_t id = crosses(row) ? random_looking(row) : proto::own::kAnchor | row;
    // An arrow that goes back in time can only be stated the other way round.
    const auto [first, second] =
        std::minmax<uint32_t>({store_.flows.slice_out[row], store_.flows.slice_in[row]});
    marks_.marks.push_back({first, false, id});
    marks_.marks.push_back({second, true, id});
    ++marks_.rows;
  }

  const Store& store_;
  const Descriptors& descriptors_;
  FlowMarks marks_;
};

}  // namespace

FlowMarks mark_flows(const Store& store, const Descriptors& descriptors) {
  return Marking(store, descriptors).run();
}

}  // namespace tracebraid::perfetto
