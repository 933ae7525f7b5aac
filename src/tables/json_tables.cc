#include "tables/json_tables.h"

namespace tracebraid {

void JsonTables::add_views(std::vector<TableView>& views) const {
  views.push_back(async_slices.view());
  views.push_back(user_timings.view());
  views.push_back(colours.view());
  views.push_back(instances.view());
  views.push_back(snapshots.view());
  views.push_back(refs.view());
  views.push_back(contexts.view());
  views.push_back(slice_contexts.view());
  views.push_back(linked_ids.view());
  views.push_back(id_classes.view());
  views.push_back(annotations.view());
  views.push_back(memory_dumps.view());
  views.push_back(memory_totals.view());
  views.push_back(memory_regions.view());
  views.push_back(heap_entries.view());
}

}  // namespace tracebraid
