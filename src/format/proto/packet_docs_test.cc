#include "format/proto/packet_docs.h"

#include <gtest/gtest.h>

namespace tracebraid::proto {
namespace {

constexpr uint32_t kPackets[] = {
#define TB_PACKET(number, name) number,
#include "format/proto/generated/packet_names.inc"
#undef TB_PACKET
};

TEST(PacketDocs, EachPacketFieldHasItsTablesOrAReason) {
  for (const uint32_t number : kPackets) EXPECT_FALSE(packet_doc(number).empty()) << number;
}

TEST(PacketDocs, UnknownFieldsHaveNone) { EXPECT_EQ(packet_doc(14), ""); }

}  // namespace
}  // namespace tracebraid::proto
