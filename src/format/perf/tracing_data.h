// Formats of tracepoints as the kernel describes them: the tracing data of perf.data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid::perf {

struct TracepointField {
  std::string name;
  uint32_t offset = 0, size = 0;
  bool is_signed = false;
  bool is_text = false;      // char[N]
  bool is_dynamic = false;   // __data_loc: offset and size of the text are in the field
  bool is_relative = false;  // __rel_loc: the offset counts from the end of the field
};

struct Tracepoint {
  std::string system, name;
  std::vector<TracepointField> fields;
  const TracepointField* find(std::string_view field) const;
};

struct TracingData {
  std::map<uint64_t, Tracepoint> tracepoints;  // by id
};

TracingData parse_tracing_data(std::string_view bytes);
// Parses one `format` file of tracefs. Returns the id; 0 if it has none.
uint64_t parse_format(std::string_view text, Tracepoint& tracepoint);

// Return values in the raw bytes of an event; 0 and empty if the field is not within them.
int64_t number_in(std::string_view raw, const TracepointField& field);
std::string_view text_in(std::string_view raw, const TracepointField& field);

}  // namespace tracebraid::perf
