#include "event/row.h"

namespace tracebraid {

Event RowWriter::finish(const EventTime& time, uint32_t args, int64_t number) {
  const StringId table = sink_.string(table_);
  return make_event(time, EventKind::Row, kNone, number,
                    {.name = table, .args = sink_.close_args(), .extra = args});
}

}  // namespace tracebraid
