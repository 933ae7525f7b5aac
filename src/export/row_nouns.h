// Words for the rows of tables, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracebraid {

// Returns "1 colour of an event", "12 log lines". `table` is a raw table, such as
// "__intrinsic_json_event_color"; of a table without words: "12 rows of NAME".
std::string counted_rows(uint64_t rows, std::string_view table);

// Returns the message that an export leaves out rows of a table.
std::string not_exported(uint64_t rows, std::string_view table);

}  // namespace tracebraid
