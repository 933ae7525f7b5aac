// Frames and stacks of one thread's tables (spec json 11.1).
#pragma once

#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/gecko/tables.h"
#include "format/gecko/thread.h"

namespace tracebraid::gecko {

// Strings of the thread, or those that all threads share.
std::vector<JsonValue> string_table(const JsonValue& thread, const ProfileFacts& facts);
std::string_view string_at(const std::vector<JsonValue>& strings, int64_t index);

// A table of the thread, or of all threads.
Table table_of(const JsonValue& thread, const ProfileFacts& facts, std::string_view name);

// The callsites of all rows of the stack table; kNone for bad rows.
std::vector<uint32_t> read_stacks(const JsonValue& thread, const ProfileFacts& facts,
                                  const std::vector<JsonValue>& strings, EventSink& sink);

}  // namespace tracebraid::gecko
