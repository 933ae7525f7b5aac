#include "export/perfetto/flows.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "event/flow_join.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

class Marking {
 public:
  Marking(const Store& store, const Selection& selection, const Descriptors& descriptors)
      : store_(store), selection_(selection), descriptors_(descriptors) {}

  FlowMarks run() && {
    // An id is one flow per machine, or one flow on all machines if it is global.
    absl::flat_hash_map<std::pair<uint32_t, uint64_t>, size_t> chain_of;
    std::vector<Chain> chains;  // by their first rows
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
      const auto [chain, is_new] = chain_of.try_emplace({scope, id}, chains.size());
      if (is_new) chains.push_back({id, {}});
      chains[chain->second].rows.push_back(row);
    }
    for (const Chain& chain : chains) mark_chain(chain.id, chain.rows);
    std::ranges::stable_sort(marks_.marks, {}, &FlowMark::slice);
    return std::move(marks_);
  }

 private:
  struct Chain {
    uint64_t id;
    std::vector<uint32_t> rows;
  };

  bool is_taken(uint32_t slice) const {
    return descriptors_.track_uuid(store_.slices.track_id[slice]) != 0 &&
           selection_.takes_time(store_.slices.ts[slice], store_.slices.dur[slice]);
  }
  uint32_t machine(uint32_t slice) const {
    return store_.tracks.machine_id[store_.slices.track_id[slice]];
  }
  bool crosses(uint32_t row) const {
    return machine(store_.flows.slice_out[row]) != machine(store_.flows.slice_in[row]);
  }

  // Whether importing the ids in the order of slices gives these rows.
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
    const uint32_t from = store_.flows.slice_out[row], to = store_.flows.slice_in[row];
    const uint64_t id = proto::own::kAnchor | row;
    marks_.marks.push_back({std::min(from, to), false, id});
    marks_.marks.push_back({std::max(from, to), true, id, store_.flows.trace_id[row], to < from});
    ++marks_.rows;
  }

  const Store& store_;
  const Selection& selection_;
  const Descriptors& descriptors_;
  FlowMarks marks_;
};

}  // namespace

FlowMarks mark_flows(const Store& store, const Selection& selection,
                     const Descriptors& descriptors) {
  return Marking(store, selection, descriptors).run();
}

}  // namespace tracebraid::perfetto
