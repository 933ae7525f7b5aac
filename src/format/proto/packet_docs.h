// The fields of TracePacket, for docs/formats.md: the tables that each fills, or why it is not
// read.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid::proto {

// Returns a Markdown table of all packet fields of the schema.
std::string packets_page();

// Returns what packet_docs.inc says about a field; empty if it says nothing.
std::string_view packet_doc(uint32_t number);

}  // namespace tracebraid::proto
