// FlowCategories: the category of each flow, by which viewers show and hide flows.
//
// In: a Store and its FlowIndex. Out: categories of flows with their counts. Called by
// timeline/tiles and the API.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tables/store.h"
#include "timeline/facts/flow_index.h"

namespace tracebraid::timeline {

// Returns the text of an arg of a flow; a null id if it has none.
StringId flow_text(const Store& store, uint32_t flow, std::string_view key);

// Returns the category of a flow: that of its events (arg `cat`), or else that of the slice it
// leaves; a null id if there is none.
StringId category_of_flow(const Store& store, const FlowIndex& flows, uint32_t flow);

// The categories of all flows. Immutable.
class FlowCategories {
 public:
  FlowCategories(const Store& store, const FlowIndex& flows);

  struct Category {
    StringId name;  // null: none
    uint32_t flows = 0;
  };
  // The categories, those with most flows first.
  std::span<const Category> all() const { return all_; }
  StringId of(uint32_t flow) const { return of_flows_[flow]; }

 private:
  std::vector<StringId> of_flows_;
  std::vector<Category> all_;
};

// Removes the flows whose categories are named. An empty text names flows without one.
void remove_categories(const Store& store, const FlowCategories& categories,
                       std::span<const std::string> names, std::vector<uint32_t>& flows);

}  // namespace tracebraid::timeline
