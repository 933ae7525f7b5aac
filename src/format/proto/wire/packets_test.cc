#include "format/proto/wire/packets.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>

#include "event/event_kind.h"
#include "format/proto/test_trace.h"

namespace tracebraid::proto {
namespace {

// Returns an input that reads the bytes in small portions.
Input slow_input(const std::string& bytes) {
  return Input([rest = std::string_view(bytes)](char* into, size_t size) mutable -> Result<size_t> {
    const size_t n = std::min({size, rest.size(), size_t{7}});
    std::memcpy(into, rest.data(), n);
    rest.remove_prefix(n);
    return n;
  });
}

std::vector<std::string> packets_of(Input input, std::string* error = nullptr) {
  std::vector<std::string> all;
  PacketStream stream(input);
  for (Packet packet; stream.next(packet);) all.emplace_back(packet.bytes);
  if (error != nullptr && stream.error()) *error = stream.error()->message;
  return all;
}

std::string deflated(std::string_view bytes) {
  std::string out(compressBound(bytes.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  out.resize(size);
  return out;
}

std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

TEST(PacketStream, FindsPacketsAmongOtherFields) {
  Msg all;
  all.num(9, 5).text(1, "one").fixed(8, 1).text(1, "").text(7, std::string(100, 'x'));
  all.text(1, std::string(5000, 'y'));
  const std::vector<std::string> expected{"one", std::string(5000, 'y')};
  EXPECT_EQ(packets_of(Input(all.bytes())), expected);
  EXPECT_EQ(packets_of(slow_input(all.bytes())), expected);
}

TEST(PacketStream, OffsetsAreThoseOfTheBytes) {
  const std::string bytes = Msg().text(1, "ab").text(1, "cd").bytes();
  Input input(bytes);
  PacketStream stream(input);
  Packet packet;
  ASSERT_TRUE(stream.next(packet));
  EXPECT_EQ(packet.at, 2U);
  ASSERT_TRUE(stream.next(packet));
  EXPECT_EQ(packet.at, 6U);
}

TEST(PacketStream, TellsWhereItWasCutOff) {
  const std::string bytes = Msg().text(1, "ab").text(1, "cd").bytes();
  for (size_t size = 5; size < bytes.size(); ++size) {
    Input input(std::string_view(bytes).substr(0, size));
    PacketStream stream(input);
    Packet packet;
    ASSERT_TRUE(stream.next(packet));
    EXPECT_FALSE(stream.next(packet));
    EXPECT_FALSE(stream.error());
    EXPECT_EQ(stream.truncated_at(), std::optional<uint64_t>(4)) << size;
  }
}

TEST(PacketStream, GroupsAreCorrupt) {
  std::string error;
  EXPECT_EQ(packets_of(Input(Msg().text(1, "ab").bytes() + "\x0b"), &error).size(), 1U);
  EXPECT_NE(error.find("Failed to parse proto packet fully"), std::string::npos);
  EXPECT_NE(error.find("offset 4"), std::string::npos);
}

// Must not allocate a size that no file can have.
TEST(PacketStream, HugeSizesEndTheFile) {
  const std::string bytes = Msg().text(1, "ab").bytes() + "\x0a\xff\xff\xff\xff\xff\xff\x01zz";
  EXPECT_EQ(packets_of(slow_input(bytes)).size(), 1U);
}

Msg instant(uint64_t ts, std::string_view name) {
  using Event = field::TrackEvent;
  return packet(1, ts).msg(field::TracePacket::kTrackEvent,
                           Msg().num(Event::kType, 3).text(Event::kName, name));
}

TEST(Bundle, PacketsInPackets) {
  using Field = field::TracePacket;
  const std::string inner = trace({instant(1, "a"), instant(2, "b")});
  for (const bool is_zstd : {false, true}) {
    const Outcome outcome = read_packets(
        {Msg().text(is_zstd ? Field::kZstdCompressedPackets : Field::kCompressedPackets,
                    is_zstd ? zstd(inner) : deflated(inner)),
         instant(3, "c")});
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.events(EventKind::Instant).size(), 3U);
  }
}

TEST(Bundle, DamageIsToldAndTheRestRead) {
  using Field = field::TracePacket;
  const std::string packed = deflated(trace({instant(1, "a"), instant(2, "b")}));
  const auto error_of = [](const std::vector<Msg>& packets) {
    const Outcome outcome = read_packets(packets);
    EXPECT_EQ(outcome.events(EventKind::Instant).size(), 1U);
    return outcome.error.substr(0, outcome.error.find(" at offset"));
  };
  EXPECT_EQ(error_of({Msg().text(Field::kCompressedPackets, packed.substr(0, 9)), instant(3, "c")}),
            "Failed to decompress compressed_packets (ERR:tp-corrupt)");
  EXPECT_EQ(
      error_of({Msg().text(Field::kCompressedPackets, deflated("\x12\x00")), instant(3, "c")}),
      "Expected TracePacket tag (ERR:tp-corrupt)");
  EXPECT_EQ(
      error_of({Msg().text(Field::kCompressedPackets, deflated("\x0a\x50zz")), instant(3, "c")}),
      "Invalid packet size (ERR:tp-corrupt)");
}

TEST(Bundle, KindsDoNotMix) {
  using Field = field::TracePacket;
  const std::string inner = trace({instant(1, "a")});
  const Outcome outcome = read_packets({Msg().text(Field::kCompressedPackets, deflated(inner)),
                                        Msg().text(Field::kZstdCompressedPackets, zstd(inner))});
  EXPECT_EQ(outcome.events(EventKind::Instant).size(), 1U);
  EXPECT_TRUE(outcome.error.starts_with(
      "A trace must not mix compressed_packets and zstd_compressed_packets (ERR:tp-corrupt)"));
}

// A bundle that contains itself would never end.
TEST(Bundle, IsNotNested) {
  using Field = field::TracePacket;
  const std::string inner =
      trace({Msg().text(Field::kCompressedPackets, deflated(trace({instant(1, "a")})))});
  const Outcome outcome = read_packets({Msg().text(Field::kCompressedPackets, deflated(inner))});
  EXPECT_TRUE(outcome.events(EventKind::Instant).empty());
  EXPECT_NE(outcome.error, "");
}

TEST(Bundle, BombsDoNotGoOff) {
  const std::string bomb = zstd(std::string(size_t{70} << 20, '\0'));
  EXPECT_FALSE(unpack_bundle(bomb, Packing::Zstd));
}

}  // namespace
}  // namespace tracebraid::proto
