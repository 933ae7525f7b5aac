#include "format/proto/packet_docs.h"

#include <fmt/format.h>

namespace tracebraid::proto {
namespace {

struct PacketName {
  uint32_t number;
  std::string_view name;
};
constexpr PacketName kNames[] = {
#define TB_PACKET(number, name) {number, name},
#include "format/proto/generated/packet_names.inc"
#undef TB_PACKET
};

}  // namespace

std::string_view packet_doc(uint32_t number) {
  switch (number) {
#define TB_PACKET_DOC(field, text) \
  case field:                      \
    return text;
#include "format/proto/packet_docs.inc"
#undef TB_PACKET_DOC
    default:
      return {};
  }
}

std::string packets_page() {
  std::string page =
      "The fields of TracePacket, and the tables that each fills:\n\n"
      "| Field | Name | Rows |\n|---|---|---|\n";
  for (const PacketName& packet : kNames)
    page +=
        fmt::format("| {} | {} | {} |\n", packet.number, packet.name, packet_doc(packet.number));
  return page;
}

}  // namespace tracebraid::proto
