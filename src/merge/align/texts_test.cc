// World A11 of spec alignment 13: log lines in two recordings.
#include "merge/align/texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "event/event_kind.h"
#include "merge/align/test_seeds.h"
#include "merge/align/world.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

using TextRandom = std::mt19937_64;

double text_draw(TextRandom& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

void add_text(File& file, std::string_view text, int64_t at, EventKind kind = EventKind::Instant) {
  file.event(text, at);
  file.batch.streams[0].events.back().kind = static_cast<uint8_t>(kind);
}

// A file whose texts are those of a process.
File text_file(std::string_view name, int64_t pid) {
  File file(std::string(name) + ".json", kJson);
  file.batch.threads.push_back({.tid = pid, .pid = pid});
  file.batch.tracks.push_back({.scope = TrackScope::Thread, .owner = 0});
  return file;
}

struct LogWorld {
  std::deque<File> files;
  double offsets[2] = {}, rates[2] = {};
  double span = 0;

  int64_t reading(size_t file, double truth) const {
    return std::llround(truth + offsets[file] + rates[file] * truth);
  }
};

std::string line_text(TextRandom& random) {
  return fmt::format("request {} of session {:x} took {} us", random() % 100'000,
                     random() % (1 << 20), random() % 1'000'000);
}

// Lines of two files; `pids` and the times of the second may be those of another run.
LogWorld logged_world(TextRandom& random, int lines, double repeated, double other_run = 0) {
  LogWorld world;
  for (size_t i = 0; i < 2; ++i) {
    world.files.push_back(text_file(i == 0 ? "a" : "b", 7));
    world.offsets[i] = text_draw(random, 0, 1e12);
    world.rates[i] = text_draw(random, -5e-5, 5e-5);
  }
  std::exponential_distribution<double> step(1 / 2e8);
  double now = 1e9, other = 1e9;
  for (int i = 0; i < lines; ++i) {
    const double takes = step(random) + 1e6;
    now += takes;
    other += takes * (1 + other_run * text_draw(random, -1, 1));
    const std::string text = text_draw(random, 0, 1) < repeated
                                 ? fmt::format("retrying connection {}", random() % 5)
                                 : line_text(random);
    add_text(world.files[0], text, world.reading(0, now));
    const double at = (other_run > 0 ? other : now) + text_draw(random, 0, 0.4e6);
    add_text(world.files[1], fmt::format("[12:00:{:02}.000] {} ", i % 60, text),
             world.reading(1, at));
  }
  world.span = now;
  for (size_t i = 0; i < 2; ++i)
    for (int k = 0; k <= 20; ++k)
      add_text(world.files[i], fmt::format("p{}.{}", i, k), world.reading(i, now * k / 20),
               EventKind::Counter);
  return world;
}

const LocateOptions kLogsOnly{.align = *parse_align("logs")};

WorldErrors errors_of_probes(const LogWorld& world, const Outcome& outcome) {
  return errors_of_second(outcome, "p1.", world.span,
                          [&](size_t file, double truth) { return world.reading(file, truth); });
}

TEST(Texts, A11LogLinesPlaceAFile) {
  WorldTable table("A11: log lines, up to 70 % repeated, up to 0.4 ms late");
  for (const uint64_t seed : align::test_seeds()) {
    TextRandom random(seed);
    LogWorld world = logged_world(random, 640, text_draw(random, 0, 0.7));
    const Outcome outcome = locate_files(world.files);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(verdict_of_set(outcome), "logs:used:") << seed;
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "measured");
    const WorldErrors errors = errors_of_probes(world, outcome);
    table.add(errors,
              errors_of_probes(world, locate_files(world.files, {}, {.align = {.kinds = 0}})));
    EXPECT_LE(errors.worst(), 400'000) << seed;
    EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
    EXPECT_LE(errors.worst_bound(), 1'000'000) << seed;
  }
}

TEST(Texts, OfAnotherRunAreRefused) {
  for (const uint64_t seed : align::test_seeds(20)) {
    TextRandom random(seed);
    const double noise = std::pow(10.0, text_draw(random, -3, -0.5));
    LogWorld world = logged_world(random, 100, 0.2, noise);
    const Outcome outcome = locate_files(world.files);
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed")
        << seed << " noise " << noise;
  }
}

TEST(Texts, OfAnotherProcessAreRefused) {
  TextRandom random(1);
  LogWorld world = logged_world(random, 640, 0);
  world.files[1].batch.threads[0].pid = 8;
  EXPECT_EQ(verdict_of_set(locate_files(world.files)), "logs:refused:not_same");
}

TEST(Texts, AtRegularTimesAreAliased) {
  // Two runs of a program that counts seconds.
  TextRandom random(2);
  std::deque<File> files;
  for (size_t k = 0; k < 2; ++k) {
    files.push_back(text_file(k == 0 ? "a" : "b", 1));
    for (int i = 0; i < 300; ++i)
      add_text(files[k], fmt::format("now it is second {} number {:x}", i, i * 7919),
               i * S + static_cast<int64_t>(k) * 77 * S + std::llround(text_draw(random, 0, 1e5)));
  }
  EXPECT_EQ(verdict_of_set(locate_files(files, {}, kLogsOnly)), "logs:refused:aliased");
}

TEST(Texts, InAnotherOrderAreRefused) {
  TextRandom random(3);
  std::deque<File> files;
  std::vector<std::string> lines;
  for (int i = 0; i < 100; ++i) lines.push_back(line_text(random));
  for (size_t k = 0; k < 2; ++k) {
    files.push_back(text_file(k == 0 ? "a" : "b", 1));
    std::ranges::shuffle(lines, random);
    for (size_t i = 0; i < lines.size(); ++i)
      add_text(files[k], lines[i],
               static_cast<int64_t>(i) * S + std::llround(text_draw(random, 0, 9e8)));
  }
  EXPECT_EQ(verdict_of_set(locate_files(files, {}, kLogsOnly)), "logs:refused:out_of_order");
}

TEST(Texts, ThatAreEqualOrShortMatchNothing) {
  std::deque<File> files;
  for (size_t k = 0; k < 2; ++k) {
    files.push_back(text_file(k == 0 ? "a" : "b", 1));
    for (int i = 0; i < 20'000; ++i) add_text(files[k], "the same line again and again", i * S);
    for (int i = 0; i < 50; ++i) add_text(files[k], fmt::format("short {}", i), i * S);
  }
  EXPECT_EQ(verdict_of_set(locate_files(files, {}, kLogsOnly)), "0 sets");
}

}  // namespace
}  // namespace tracebraid::located_files
