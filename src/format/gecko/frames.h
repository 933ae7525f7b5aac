// Frames and stacks of one thread's tables (spec json 11.1).
#pragma once

#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/gecko/facts.h"

namespace tracebraid::gecko {

// Returns a table of the thread, or one shared by all threads.
Table table_of(const JsonFields& thread, const ProfileFacts& facts, std::string_view name);

// Returns the callsites of all rows of the stack table; kNone for bad rows.
std::vector<uint32_t> read_stacks(const JsonFields& thread, const ProfileFacts& facts,
                                  Strings& strings, EventSink& sink);

}  // namespace tracebraid::gecko
