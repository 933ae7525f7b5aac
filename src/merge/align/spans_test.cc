// World A9 of spec alignment 13: services that call each other, with the true times.
#include "merge/align/spans.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "event/event_kind.h"
#include "merge/align/test_seeds.h"
#include "merge/align/world.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

using SpanRandom = std::mt19937_64;
using SpanArgs = std::vector<std::pair<std::string_view, std::string>>;

double span_draw(SpanRandom& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

std::string span_hex(uint64_t id) { return fmt::format("{:016x}", id); }
std::string trace_hex(uint64_t id) { return fmt::format("{:016x}{:016x}", id * 7 + 3, id); }

// Adds a slice with args.
void add_span(File& file, const SpanArgs& args, int64_t begin, int64_t end) {
  file.event("rpc", begin);
  EventBatch& batch = file.batch;
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(EventKind::Slice);
  event.value = end - begin;
  event.args = static_cast<uint32_t>(batch.args.rows.size());
  for (size_t i = 0; i < args.size(); ++i) {
    const StringId key = batch.strings.intern(args[i].first);
    batch.args.keys.push_back({key, key});
    batch.args.rows.push_back({.value = batch.strings.intern(args[i].second).row,
                               .key = static_cast<uint32_t>(batch.args.keys.size() - 1),
                               .type = ArgType::String,
                               .last = i + 1 == args.size()});
  }
}

// Two services on machines of their own, whose wall clocks are off.
struct SpanWorld {
  std::deque<File> files;
  double least_there = 0, least_back = 0;  // least delays, ns
  double offsets[2] = {}, rates[2] = {};   // of BOOTTIME
  double span = 60e9;

  int64_t reading(size_t file, double truth) const {
    return std::llround(truth + offsets[file] + rates[file] * truth);
  }
};

// Calls in both directions; up to a quarter of the spans of each side are missing, a tenth of the
// calls are tried twice.
SpanWorld calling_world(SpanRandom& random, int calls) {
  SpanWorld world;
  world.files.emplace_back("a.pb", kProto);
  world.files.emplace_back("b.pb", kProto);
  world.least_there = span_draw(random, 0.1e6, 8e6);
  world.least_back = span_draw(random, 0.1e6, 8e6);
  const double wrong = span_draw(random, 20e6, 200e6) * (random() % 2 == 0 ? 1 : -1);
  const double lost = span_draw(random, 0, 0.25), retries = span_draw(random, 0, 0.1);
  for (size_t i = 0; i < 2; ++i) {
    world.offsets[i] = span_draw(random, 1e9, 1e12);
    world.rates[i] = span_draw(random, -5e-5, 5e-5);
    const auto wall = [&](double truth) { return W + std::llround(truth + (i == 0 ? 0 : wrong)); };
    for (const double at : {0.0, world.span})
      world.files[i].snap({{B, world.reading(i, at)}, {R, wall(at)}});
    for (int k = 0; k <= 20; ++k) {
      world.files[i].event(fmt::format("e{}.{}", i, k), world.reading(i, world.span * k / 20), B);
      // A slice would have the args of the first span.
      world.files[i].batch.streams[0].events.back().kind = static_cast<uint8_t>(EventKind::Counter);
    }
  }
  std::exponential_distribution<double> tail(1 / 50e3);
  for (int call = 0; call < calls; ++call) {
    const size_t from = call % 10 == 0 ? 1 : 0, to = 1 - from;
    const double begin = span_draw(random, 0, world.span - 1e9);
    const double there = from == 0 ? world.least_there : world.least_back;
    const double back = from == 0 ? world.least_back : world.least_there;
    const std::string trace = trace_hex(random()), client = span_hex(random() | 1);
    double end = begin;
    const bool has_client = span_draw(random, 0, 1) >= lost;
    for (int tries = span_draw(random, 0, 1) < retries ? 2 : 1; tries > 0; --tries) {
      const double start = end + there + tail(random), stop = start + span_draw(random, 1e5, 5e6);
      end = stop + back + tail(random);
      if (span_draw(random, 0, 1) < lost) continue;
      add_span(world.files[to],
               {{"debug.trace_id", trace},
                {"debug.span_id", span_hex(random() | 1)},
                {"debug.parent_span_id", client},
                {"debug.span.kind", "SPAN_KIND_SERVER"}},
               world.reading(to, start), world.reading(to, stop));
    }
    if (has_client)
      add_span(world.files[from],
               {{"args.traceId", trace}, {"args.spanId", client}, {"args.kind", "client"}},
               world.reading(from, begin), world.reading(from, end));
  }
  return world;
}

constexpr std::string_view kTwoServices =
    R"("files": [{"path": "a.pb", "machine": {"name": "client"}},
                 {"path": "b.pb", "machine": {"name": "server"}}])";

WorldErrors errors_of_probes(const SpanWorld& world, const Outcome& outcome) {
  return errors_of_second(outcome, "e1.", world.span,
                          [&](size_t file, double truth) { return world.reading(file, truth); });
}

TEST(Spans, A9PlaceServicesWhoseWallClocksAreWrong) {
  WorldTable table("A9: client and server, wall clocks 20 to 200 ms off");
  for (const uint64_t seed : align::test_seeds()) {
    SpanRandom random(seed);
    const SpanWorld drawn = calling_world(random, 400);
    std::deque<File> files = drawn.files;
    const Outcome outcome = locate_files(files, kTwoServices);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(verdict_of_set(outcome), "spans:used:") << seed;
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "relayed");
    const WorldErrors errors = errors_of_probes(drawn, outcome);
    table.add(errors,
              errors_of_probes(drawn, locate_files(files, kTwoServices, {.align = {.kinds = 0}})));
    EXPECT_LE(static_cast<double>(errors.worst()),
              std::abs(drawn.least_there - drawn.least_back) / 2 + 50e3)
        << seed;
    EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
    ASSERT_EQ(outcome.store->clock_contradictions.rows(), 1U) << seed;
    EXPECT_EQ(outcome.store->strings.get(outcome.store->clock_contradictions.kind[0]),
              "rendezvous");
    EXPECT_GT(outcome.store->causality.rows(), 0U);
    for (size_t row = 0; row < outcome.store->causality.rows(); ++row)
      EXPECT_EQ(outcome.store->causality.certain[row], 0) << seed;
  }
}

// Calls of one file to the other, with args as the test gives them.
template <class Client, class Server>
Outcome with_args(Client client, Server server, int calls = 40) {
  std::deque<File> files;
  files.emplace_back("a.json", kJson);
  files.emplace_back("b.json", kJson);
  SpanRandom random(9);
  for (int i = 0; i < calls; ++i) {
    const uint64_t trace = random() | 1, parent = random() | 1, child = random() | 1;
    const int64_t at = i * S + static_cast<int64_t>(random() % 900'000'000);
    add_span(files[0], client(trace, parent, child), at, at + 10'000'000);
    add_span(files[1], server(trace, parent, child), at + 77 * S + 3'000'000,
             at + 77 * S + 7'000'000);
  }
  return locate_files(files);
}

TEST(Spans, ContextsOfW3cAndSharedIdsOfZipkin) {
  const auto client = [](uint64_t trace, uint64_t parent, uint64_t) {
    return SpanArgs{{"args.trace_id", trace_hex(trace)},
                    {"args.span_id", span_hex(parent)},
                    {"args.span.kind", "client"}};
  };
  const auto by_context = with_args(client, [](uint64_t trace, uint64_t parent, uint64_t) {
    return SpanArgs{{"args.traceparent", "00-" + trace_hex(trace) + "-" + span_hex(parent) + "-01"},
                    {"args.kind", "server"}};
  });
  EXPECT_EQ(verdict_of_set(by_context), "spans:used:");
  const auto shared = with_args(client, [](uint64_t trace, uint64_t parent, uint64_t) {
    return SpanArgs{{"args.traceId", trace_hex(trace)},
                    {"args.id", "0"},
                    {"args.spanId", span_hex(parent)},
                    {"args.kind", "SERVER"}};
  });
  EXPECT_EQ(verdict_of_set(shared), "spans:used:");
}

TEST(Spans, AChildThatNobodyWaitsForOnlyStartsLater) {
  const auto outcome = with_args(
      [](uint64_t trace, uint64_t parent, uint64_t) {
        return SpanArgs{{"args.trace_id", trace_hex(trace)}, {"args.span_id", span_hex(parent)}};
      },
      [](uint64_t trace, uint64_t parent, uint64_t child) {
        return SpanArgs{{"args.trace_id", trace_hex(trace)},
                        {"args.span_id", span_hex(child)},
                        {"args.parent_id", span_hex(parent)}};
      });
  EXPECT_EQ(verdict_of_set(outcome), "spans:refused:one_sided");
}

TEST(Spans, InvalidAndReusedIdsMatchNothing) {
  const auto client = [](uint64_t, uint64_t parent, uint64_t) {
    return SpanArgs{{"args.trace_id", std::string(32, '0')},
                    {"args.span_id", span_hex(parent)},
                    {"args.kind", "client"}};
  };
  const auto server = [](uint64_t, uint64_t parent, uint64_t child) {
    return SpanArgs{{"args.trace_id", std::string(32, '0')},
                    {"args.span_id", span_hex(child)},
                    {"args.parent_id", span_hex(parent)},
                    {"args.kind", "server"}};
  };
  EXPECT_EQ(verdict_of_set(with_args(client, server)), "0 sets") << "all ids of traces are zero";
  const auto same = [&](uint64_t trace, uint64_t, uint64_t) {
    return SpanArgs{{"args.trace_id", trace_hex(trace)},
                    {"args.span_id", span_hex(5)},
                    {"args.parent_id", span_hex(5)},
                    {"args.kind", "client"}};
  };
  EXPECT_EQ(verdict_of_set(with_args(same, same)), "0 sets") << "spans are their own parents";
  const auto bad = [&](uint64_t, uint64_t, uint64_t) {
    return SpanArgs{{"args.trace_id", "none"},
                    {"args.span_id", "0x12"},
                    {"args.parent_id", std::string(1 << 16, 'f')},
                    {"args.traceparent", "00-"},
                    {"args.kind", ""}};
  };
  EXPECT_EQ(verdict_of_set(with_args(bad, bad)), "0 sets");
  // Every id occurs a thousand times.
  const auto reused = [](uint64_t, uint64_t, uint64_t) {
    return SpanArgs{{"args.trace_id", trace_hex(77)},
                    {"args.span_id", span_hex(3)},
                    {"args.parent_id", span_hex(4)},
                    {"args.kind", "client"}};
  };
  EXPECT_EQ(verdict_of_set(with_args(reused, reused, 1000)), "0 sets");
}

TEST(Spans, ParentsInACycleMatchNothing) {
  // Each is the parent of the other: both start first.
  const auto outcome = with_args(
      [](uint64_t trace, uint64_t parent, uint64_t child) {
        return SpanArgs{{"args.trace_id", trace_hex(trace)},
                        {"args.span_id", span_hex(parent)},
                        {"args.parent_id", span_hex(child)}};
      },
      [](uint64_t trace, uint64_t parent, uint64_t child) {
        return SpanArgs{{"args.trace_id", trace_hex(trace)},
                        {"args.span_id", span_hex(child)},
                        {"args.parent_id", span_hex(parent)}};
      });
  EXPECT_EQ(verdict_of_set(outcome), "0 sets");
}

}  // namespace
}  // namespace tracebraid::located_files
