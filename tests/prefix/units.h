// The units of a file, for the test of prefixes: parts that are complete by themselves, so that a
// file that ends after one of them looks complete. Found by framing alone, without the readers
// under test.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tracebraid {

enum class UnitKind {
  Document,  // one unit: JSON objects, XML, HTML, ZIP, TAR, perf.data ...
  Elements,  // JSON documents, and the values of an array, which may lack its end
  Lines,     // a line may lack its end
  Packets,   // fields of a proto message
  Records,   // of Fuchsia
  Streams,   // of gzip, concatenated
};

struct Units {
  UnitKind kind = UnitKind::Document;
  std::vector<size_t> ends;  // increasing, from 0 to the size of the file
};

// Returns the units of a file. `type` is the container or the format, as in `trace_type`.
Units units_of(std::string_view bytes, std::string_view type);

// Returns the end of the last unit that ends at or before the offset.
size_t end_before(const Units& units, size_t offset);
// Returns the end of the first unit that ends at or after the offset.
size_t end_behind(const Units& units, size_t offset);

}  // namespace tracebraid
