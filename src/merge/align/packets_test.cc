// Packets between two machines, with the true times.
#include "merge/align/packets.h"

#include <gtest/gtest.h>

#include <string>

#include "merge/align/call_world.h"

namespace tracebraid::located_files {
namespace {

struct PacketCalls {
  int count = 600;
  bool are_relative = false;  // sequence numbers count from 0
  bool is_udp = false;
  bool is_kernel = false;  // events of the kernel, else of a capture
  double lost = 0.2, resent = 0.1;
};

void add_packets(CallWorld& world, const PacketCalls& packets, WorldRandom& random) {
  uint32_t next[2] = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
  if (packets.are_relative) next[0] = next[1] = 0;
  std::vector<double> times;
  for (int i = 0; i < packets.count; ++i) times.push_back(draw(random, 0, world.span));
  std::ranges::sort(times);
  const std::string address[2] = {"10.0.0.1", "10.0.0.2"};
  const int64_t port[2] = {41234, 443};
  for (const double sent : times) {
    const size_t from = random() % 2, to = 1 - from;
    const auto length = static_cast<int64_t>(random() % 1400 + 1);
    std::vector<CallArg> args{{"saddr", address[from]},
                              {"daddr", address[to]},
                              {"sport", port[from]},
                              {"dport", port[to]}};
    if (packets.is_udp) {
      args.emplace_back("ip_id", static_cast<int64_t>(random() & 0xffff));
      args.emplace_back("payload_hash", static_cast<int64_t>(random()));
    } else {
      args.emplace_back("seq", int64_t{next[from]});
      args.emplace_back("ack", int64_t{next[to]});
      args.emplace_back("flags", int64_t{0x18});
      args.emplace_back("len", length);
      next[from] += static_cast<uint32_t>(length);
    }
    const auto add = [&](size_t file, double at, bool is_send) {
      if (draw(random, 0, 1) < packets.lost) return;
      std::vector<CallArg> own = args;
      const int64_t reading = world.clocks[file].at(at);
      if (!packets.is_kernel) {
        own.emplace_back("direction", is_send ? "out" : "in");
        return add_call(world.files[file], "tcp", reading, reading, own, EventKind::Instant);
      }
      if (is_send) {
        // The driver is done later than the other machine has the packet.
        add_call(world.files[file], "net_dev_queue", reading, reading, own, EventKind::FtraceRow);
        const int64_t late = world.clocks[file].at(at + 20e6);
        add_call(world.files[file], "net_dev_xmit", late, late, own, EventKind::FtraceRow);
      } else {
        add_call(world.files[file], "netif_receive_skb", reading, reading, own,
                 EventKind::FtraceRow);
      }
    };
    for (int tries = draw(random, 0, 1) < packets.resent ? 2 : 1; tries > 0; --tries) {
      const double late = (tries - 1) * 200e6;
      add(from, sent + late, true);
      add(to, sent + late + world.takes(from, random), false);
    }
  }
}

void expect_packets(const PacketCalls& packets, WorldTable& table) {
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_calls(random, 20e3, 500e3, 20e3);
    add_packets(world, packets, random);
    world.finish();
    // A packet that was sent twice, of which one file lost the first and the other the second one.
    const double wrong = packets.resent > 0 ? 0.03 : 0;
    expect_calls(world, "packets", 25e3, 50e3, seed, table, wrong);
  }
}

TEST(CallWorlds, PacketsOfTcp) {
  WorldTable table("packets: TCP, up to 10 % sent again");
  expect_packets({}, table);
}

TEST(CallWorlds, PacketsOfUdp) {
  WorldTable table("packets: UDP");
  expect_packets({.is_udp = true}, table);
}

TEST(CallWorlds, PacketsOfKernels) {
  WorldTable table("packets: TCP in events of the kernel");
  expect_packets({.is_kernel = true}, table);
}

TEST(Packets, ThatAreSentOnceAreInOrder) {
  WorldTable table("packets: TCP, none sent again");
  expect_packets({.resent = 0}, table);
}

TEST(Packets, RelativeNumbersMatchNothing) {
  WorldRandom random(1);
  CallWorld world = draw_calls(random, 20e3, 500e3, 20e3);
  add_packets(world, {.are_relative = true}, random);
  EXPECT_EQ(refused_calls(world.files), "none");
}

TEST(Packets, OtherConnectionsAndCopiesMatchNothing) {
  WorldRandom random(2);
  CallWorld world = draw_calls(random, 20e3, 500e3, 20e3);
  add_packets(world, {}, random);
  std::deque<File> files{world.files[0], world.files[0]};
  files[1].name = "copy.json";
  EXPECT_EQ(refused_calls(files), "none") << "both sent what both sent";
  CallWorld second = draw_calls(random, 20e3, 500e3, 20e3);
  add_packets(second, {}, random);
  std::deque<File> strangers{world.files[0], second.files[1]};
  EXPECT_EQ(refused_calls(strangers), "none");
}

TEST(Packets, OneWayIsRefused) {
  WorldRandom random(3);
  CallWorld world = draw_calls(random, 20e3, 500e3, 20e3);
  for (int i = 0; i < 200; ++i) {
    const double sent = draw(random, 0, world.span);
    std::vector<CallArg> args{{"src", "fe80::1"},
                              {"dst", "fe80::2"},
                              {"srcport", int64_t{1}},
                              {"dstport", int64_t{2}},
                              {"seq", static_cast<int64_t>(random() & 0xffffffff)},
                              {"ack", static_cast<int64_t>(random() & 0xffffffff)}};
    for (size_t file = 0; file < 2; ++file) {
      std::vector<CallArg> own = args;
      own.emplace_back("direction", file == 0 ? "TX" : "RX");
      const int64_t at = world.clocks[file].at(file == 0 ? sent : sent + world.takes(0, random));
      add_call(world.files[file], "packet", at, at, own, EventKind::Instant);
    }
  }
  EXPECT_EQ(refused_calls(world.files), "packets:refused:one_sided");
}

TEST(Packets, BadArgsMatchNothing) {
  WorldRandom random(4);
  CallWorld world = draw_calls(random, 20e3, 500e3, 20e3);
  const std::vector<std::vector<CallArg>> bad{
      {{"saddr", ""}, {"daddr", ""}, {"seq", int64_t{5}}, {"ack", int64_t{-1}}},
      {{"saddr", "a"}, {"daddr", "b"}, {"sport", "x"}, {"dport", "y"}, {"seq", "0x"}, {"ack", ""}},
      {{"saddr", std::string(1 << 20, 'a')}, {"daddr", "b"}, {"seq", INT64_MIN}, {"ack", "9e99"}},
      {{"saddr", "a"},
       {"daddr", "b"},
       {"sport", int64_t{1}},
       {"dport", int64_t{2}},
       {"payload_hash", "none"},
       {"ip_id", INT64_MAX}}};
  for (int i = 0; i < 50; ++i)
    for (std::vector<CallArg> args : bad)
      for (size_t file = 0; file < 2; ++file) {
        std::vector<CallArg> own = args;
        own.emplace_back("direction", file == 0 ? "out" : "in");
        add_call(world.files[file], "p", i, i, own, EventKind::Instant);
      }
  EXPECT_EQ(refused_calls(world.files), "none");
}

}  // namespace
}  // namespace tracebraid::located_files
