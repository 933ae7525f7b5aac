#include "event/row.h"

#include "event/event_kind.h"

namespace tracebraid {

Event RowWriter::finish(Event at, uint32_t args, int64_t number) {
  at.kind = static_cast<uint32_t>(EventKind::Row);
  at.track = kNone;
  at.name = sink_.string(table_);
  at.category = {};
  at.args = sink_.close_args();
  at.extra = args;
  at.value = number;
  return at;
}

}  // namespace tracebraid
