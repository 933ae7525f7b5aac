// Calls between two services, with the true times.
#include "merge/align/rpc.h"

#include <gtest/gtest.h>

#include <string>

#include "merge/align/call_world.h"

namespace tracebraid::located_files {
namespace {

struct RpcCalls {
  int count = 400;
  bool are_uuids = false;  // else numbers that count from 0
  double lost = 0.25, retries = 0.1;
  double period = 0;  // of calls at regular times, ns
};

std::string uuid(WorldRandom& random) {
  const uint64_t high = random(), low = random();
  return fmt::format("{:08x}-{:04x}-{:04x}-{:016x}", high >> 32, high >> 16 & 0xffff, high & 0xffff,
                     low);
}

// Adds calls of each service by the other one; a tenth lead from b to a. `only`: of that file.
void add_rpc(CallWorld& world, const RpcCalls& calls, WorldRandom& random, size_t only = 2) {
  std::vector<double> times;
  for (int i = 0; i < calls.count; ++i)
    times.push_back(calls.period > 0 ? calls.period * i + draw(random, 0, 1e3)
                                     : draw(random, 0, world.span - 1e9));
  std::ranges::sort(times);
  const double lost = draw(random, 0, calls.lost), retries = draw(random, 0, calls.retries);
  for (size_t i = 0; i < times.size(); ++i) {
    const size_t from = i % 10 == 0 ? 1 : 0, to = 1 - from;
    const double begin = times[i];
    const std::string service = from == 0 ? "users" : "orders";
    const std::string id = uuid(random);
    const auto args = [&](std::string kind) {
      std::vector<CallArg> all{{"rpc.service", service}, {"rpc.method", "get"}};
      all.emplace_back("span.kind", std::move(kind));
      if (calls.are_uuids)
        all.emplace_back("x-request-id", id);
      else
        all.emplace_back("rpc.request_id", static_cast<int64_t>(i));
      return all;
    };
    double end = begin;
    for (int tries = draw(random, 0, 1) < retries ? 2 : 1; tries > 0; --tries) {
      const double start = end + world.takes(from, random), stop = start + draw(random, 1e5, 5e6);
      end = stop + world.takes(to, random);
      if (draw(random, 0, 1) >= lost && only != from)
        add_call(world.files[to], "serve", world.clocks[to].at(start), world.clocks[to].at(stop),
                 args("server"));
    }
    if (draw(random, 0, 1) >= lost && only != to)
      add_call(world.files[from], "call", world.clocks[from].at(begin), world.clocks[from].at(end),
               args("client"));
  }
}

void expect_rpc(const RpcCalls& calls, WorldTable& table) {
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_calls(random, 0.1e6, 8e6, 50e3);
    world.span = 60e9;
    add_rpc(world, calls, random);
    world.finish();
    expect_calls(world, "rpc", 50e3, 150e3, seed, table);
  }
}

TEST(CallWorlds, RpcWithNumbers) {
  WorldTable table("rpc: calls with numbers");
  expect_rpc({}, table);
}

TEST(CallWorlds, RpcWithUuids) {
  WorldTable table("rpc: calls with UUIDs");
  expect_rpc({.are_uuids = true}, table);
}

TEST(CallWorlds, RpcOfOtherClientsIsRefused) {
  WorldTable table("rpc: numbers of another client");
  for (const uint64_t seed : align::test_seeds()) {
    // a.json has a client, b.json the calls of another one to the same service.
    WorldRandom random(seed);
    CallWorld world = draw_calls(random, 0.1e6, 8e6, 50e3);
    world.span = 60e9;
    const RpcCalls calls{.lost = 0, .retries = 0};
    add_rpc(world, calls, random, 0);
    add_rpc(world, calls, random, 1);
    expect_refused(world, "rpc", seed, table);
  }
}

TEST(CallWorlds, RpcAtRegularTimesIsRefused) {
  WorldTable table("rpc: numbers of another client, calls at equal intervals");
  for (const uint64_t seed : align::test_seeds()) {
    WorldRandom random(seed);
    CallWorld world = draw_calls(random, 0.1e6, 8e6, 50e3);
    const RpcCalls calls{.lost = 0, .retries = 0, .period = draw(random, 20e6, 100e6)};
    add_rpc(world, calls, random, 0);
    add_rpc(world, calls, random, 1);
    expect_refused(world, "rpc", seed, table);
  }
}

TEST(Rpc, KernelCallsOfTwoMachines) {
  WorldRandom random(1);
  CallWorld world = draw_calls(random, 0.1e6, 1e6, 50e3);
  for (int i = 0; i < 300; ++i) {
    const size_t from = static_cast<size_t>(i) % 2, to = 1 - from;
    const double sent = draw(random, 0, world.span), got = sent + world.takes(from, random);
    const double replied = got + draw(random, 1e4, 1e6), seen = replied + world.takes(to, random);
    const std::string xid = fmt::format("0x{:08x}", random() & 0xffffffff);
    const auto add = [&](size_t file, std::string_view name, double at) {
      const int64_t reading = world.clocks[file].at(at);
      add_call(world.files[file], name, reading, reading, {{"xid", xid}}, EventKind::FtraceRow);
    };
    add(from, "xprt_transmit", sent);
    add(to, "svc_process", got);
    add(to, "svc_send", replied);
    add(from, "xprt_lookup_rqst", seen);
  }
  world.finish();
  WorldTable table("");
  expect_calls(world, "rpc", 50e3, 50e3, 1, table);
}

TEST(Rpc, CallsWithoutScopeRoleOrIdMatchNothing) {
  const auto verdict_with = [](const std::vector<CallArg>& client,
                               const std::vector<CallArg>& server) {
    WorldRandom random(2);
    CallWorld world = draw_calls(random, 1e5, 1e6, 5e4);
    for (int64_t i = 0; i < 60; ++i) {
      const auto with_id = [&](std::vector<CallArg> args) {
        args.emplace_back("request_id", i);
        return args;
      };
      const double begin = draw(random, 0, world.span);
      add_call(world.files[0], "call", world.clocks[0].at(begin), world.clocks[0].at(begin + 5e6),
               with_id(client));
      add_call(world.files[1], "serve", world.clocks[1].at(begin + 2e6),
               world.clocks[1].at(begin + 3e6), with_id(server));
    }
    return verdict_of_file(locate_files(world.files), 1);
  };
  using Args = std::vector<CallArg>;
  const Args client{{"kind", "client"}, {"rpc.system", "grpc"}};
  const Args server{{"kind", "SPAN_KIND_SERVER"}, {"rpc.system", "grpc"}};
  EXPECT_EQ(verdict_with(client, server), "rpc:used:");
  EXPECT_EQ(verdict_with(client, {{"kind", "server"}}), "none") << "other scopes";
  EXPECT_EQ(verdict_with({{"kind", "client"}}, {{"kind", "server"}}), "none") << "no scope";
  EXPECT_EQ(verdict_with(client, client), "none");
  EXPECT_EQ(verdict_with({{"rpc.system", "grpc"}}, server), "none") << "no role";
  EXPECT_EQ(verdict_with(client, {{"kind", "server"}, {"rpc.system", "grpc"}, {"span_id", "x"}}),
            "none")
      << "ids of spans";
}

TEST(Rpc, IdsThatRepeatMatchNothing) {
  WorldRandom random(3);
  CallWorld world = draw_calls(random, 1e5, 1e6, 5e4);
  for (int i = 0; i < 5000; ++i)
    for (size_t file = 0; file < 2; ++file)
      add_call(world.files[file], "call", i * 1000, i * 1000 + 500,
               {{"kind", file == 0 ? "client" : "server"},
                {"rpc.system", "grpc"},
                {"request_id", int64_t{7}}});
  EXPECT_EQ(refused_calls(world.files), "none");
}

}  // namespace
}  // namespace tracebraid::located_files
