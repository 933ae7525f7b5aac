// Two recordings whose events have args: calls, packets, wakeups, barriers and messages of MPI. For
// tests.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merge/align/rank_world.h"
#include "merge/align/test_seeds.h"
#include "merge/align/world.h"

namespace tracebraid::located_files {

using CallArg = std::pair<std::string_view, std::variant<int64_t, std::string>>;

// Adds a slice, or an event of another kind at `begin`, with args.
inline void add_call(File& file, std::string_view name, int64_t begin, int64_t end,
                     const std::vector<CallArg>& args, EventKind kind = EventKind::Slice,
                     uint32_t domain = kNone) {
  file.event(name, begin, domain);
  EventBatch& batch = file.batch;
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(kind);
  event.value = end - begin;
  event.args = args.empty() ? kNone : static_cast<uint32_t>(batch.args.rows.size());
  for (size_t i = 0; i < args.size(); ++i) {
    const auto& [key, value] = args[i];
    const bool is_text = std::holds_alternative<std::string>(value);
    add_arg(
        batch, key, is_text ? ArgType::String : ArgType::Int,
        is_text ? batch.strings.intern(std::get<std::string>(value)).row : std::get<int64_t>(value),
        i + 1 == args.size());
  }
}

// Two files with clocks that nothing relates, and least delays between them.
struct CallWorld : AlignWorld {
  double least_there = 0, least_back = 0, tail = 0, span = 20e9;  // ns

  // Returns a delay from the file `from` to the other one.
  double takes(size_t from, WorldRandom& random) const {
    std::exponential_distribution<double> late(1 / tail);
    return (from == 0 ? least_there : least_back) + late(random);
  }
  void finish() {
    first = span * 0.05;
    last = span * 0.95;
    add_probes();
  }
};

inline CallWorld draw_calls(WorldRandom& random, double least, double most, double tail,
                            const Format& format = kJson) {
  CallWorld world;
  world.least_there = draw(random, least, most);
  world.least_back = draw(random, least, most);
  world.tail = tail;
  const std::string suffix = &format == &kJson ? "json" : "txt";
  for (const std::string_view name : {"a.", "b."}) {
    world.files.emplace_back(std::string(name) + suffix, format);
    world.clocks.push_back(draw_clock(random, 1e12));
  }
  return world;
}

// Expects that a kind places the second file, within half the difference of the least delays and
// `error`, with a bound of half their sum and `bound` at most; `bound`: ns. Adds the figures.
// `wrong`: share of the pairs that may be certainly out of order, because both files lost events.
inline void expect_calls(CallWorld& world, std::string_view kind, double error, double bound,
                         uint64_t seed, WorldTable& table, double wrong = 0) {
  const Outcome outcome = locate_files(world.files);
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(verdict_of_file(outcome, 1), std::string(kind) + ":used:") << seed;
  WorldErrors errors, before;
  errors.add(world, outcome, 1);
  before.add(world, without_content(world), 1);
  table.add(errors, before);
  EXPECT_LE(static_cast<double>(errors.worst()),
            std::abs(world.least_there - world.least_back) / 2 + error)
      << seed;
  EXPECT_LE(static_cast<double>(errors.worst_bound()),
            (world.least_there + world.least_back) / 2 + bound)
      << seed;
  EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
  const CausalityTable& causality = outcome.store->causality;
  EXPECT_GT(causality.rows(), 0U) << seed;
  for (size_t row = 0; row < causality.rows(); ++row)
    EXPECT_LE(static_cast<double>(causality.certain[row]),
              wrong * static_cast<double>(causality.pairs[row]))
        << seed;
}

// Returns the set of the second file, and expects that nothing places it.
inline std::string refused_calls(std::deque<File>& files) {
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
  return verdict_of_file(outcome, 1);
}

// Expects that the set of a kind is refused, or that there is none if it `may_be_none`. Adds why.
inline void expect_refused(CallWorld& world, std::string_view kind, uint64_t seed,
                           WorldTable& table, bool may_be_none = false) {
  const std::string verdict = refused_calls(world.files);
  EXPECT_TRUE((may_be_none && verdict == "none") ||
              verdict.starts_with(std::string(kind) + ":refused:"))
      << seed << verdict;
  table.add_refused(verdict.substr(verdict.rfind(':') + 1));
}

}  // namespace tracebraid::located_files
