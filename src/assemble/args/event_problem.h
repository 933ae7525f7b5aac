// EventProblem: an event that assembling dropped or changed. Counted, and a row of the import log
// with its time and name.
#pragma once

#include "assemble/args/deferred_args.h"
#include "assemble/problems.h"

namespace tracebraid {

inline void count_event(StatId stat, const TrackName& where, const Event& event, Problems& problems,
                        DeferredArgs& args) {
  if (!problems.count_logged(stat, where.machine, where.file)) return;
  ArgsBuilder& set = args.open();
  if (event.name) set.add_text("event_name", event.name);
  problems.log({stat, where.file, event.ts, set.close()});
}

}  // namespace tracebraid
