#include "assemble/rows/states.h"

#include "assemble/saturate.h"

namespace tracebraid {

void States::change(uint32_t track_row, const Event& event, ArgSource args) {
  if (track_row >= open_.size()) open_.resize(track_row + 1, kNone);
  uint32_t& open = open_[track_row];
  if (open != kNone) {
    if (table_.value[open] == event.name) return;  // the state continues
    table_.dur.at(open) = duration_between(table_.ts[open], event.ts);
    open = kNone;
  }
  if (!event.name) return;
  open = static_cast<uint32_t>(table_.ts.size());
  table_.ts.append(event.ts);
  table_.dur.append(-1);
  table_.track_id.append(track_row);
  table_.category.append(event.category);
  table_.value.append(event.name);
  table_.arg_set_id.append({args_.set(args)});
}

}  // namespace tracebraid
