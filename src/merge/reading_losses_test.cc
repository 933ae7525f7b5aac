#include "merge/reading_losses.h"

#include <gtest/gtest.h>

#include "assemble/stats.h"
#include "event/sink.h"
#include "event/stats.h"
#include "format/json/stats.h"
#include "format/proto/recording/stats.h"

namespace tracebraid {
namespace {

std::vector<std::string> messages_of(std::span<const EventBatch> chunks) {
  std::vector<std::string> texts;
  for (const LossWarning& warning : reading_losses(chunks, Repairs::Grave))
    texts.push_back(warning.error.message);
  return texts;
}

TEST(ReadingLosses, OneLineForAStatWithItsFirstPlace) {
  std::vector<EventBatch> chunks(2);
  EventSink first(chunks[0]), second(chunks[1]);
  second.count(stats::json_pid_type, 900, "\"pid\":\n1.5");
  first.count(stats::json_pid_type, 70, "\"pid\":2.5");
  first.count(stats::json_name_type, 40, "\"name\":\n1");
  second.count(stats::trace_truncated, 1000);
  EXPECT_EQ(messages_of(chunks),
            (std::vector<std::string>{"json_name_type at byte 40: \"name\": 1",
                                      "json_pid_type, 2 times, first at byte 70: \"pid\":2.5",
                                      "trace_truncated at byte 1000: the file is truncated; was it "
                                      "copied before it was complete?"}));
}

TEST(ReadingLosses, FactsAndRepairsAreNone) {
  std::vector<EventBatch> chunks(1);
  EventSink sink(chunks[0]);
  sink.count(stats::json_extra_comma, 3);        // of severity info
  sink.tally(stats::traced_buf_patches_failed);  // the recorder's own count
  EXPECT_TRUE(messages_of(chunks).empty());
}

TEST(ReadingLosses, ManyKindsAreCutShort) {
  std::vector<EventBatch> chunks(1);
  EventSink sink(chunks[0]);
  uint64_t at = 0;
  for (const StatId stat : {stats::json_pid_type, stats::json_name_type, stats::json_id_and_id2,
                            stats::json_arg_override, stats::json_sf_and_stack,
                            stats::json_duplicate_key, stats::json_args_not_object})
    sink.count(stat, ++at);
  const std::vector<std::string> texts = messages_of(chunks);
  ASSERT_EQ(texts.size(), 6U);
  EXPECT_EQ(texts[5], "2 more kinds of problems, see the table stats");
}

TEST(ReadingLosses, TheRestHasTheWorstOfItsLevels) {
  std::vector<EventBatch> chunks(1);
  EventSink sink(chunks[0]);
  uint64_t at = 0;
  for (const StatId stat :
       {stats::json_pid_type, stats::json_name_type, stats::json_id_and_id2,
        stats::json_sf_and_stack, stats::json_duplicate_key, stats::json_instant_bad_scope})
    sink.count(stat, ++at);
  EXPECT_EQ(reading_losses(chunks, Repairs::Grave).back().level, StatLevel::Repaired);
  sink.count(stats::json_event_not_object, ++at);
  EXPECT_EQ(reading_losses(chunks, Repairs::Grave).back().level, StatLevel::LostEvents);
}

TEST(ReadingLosses, UnpairedEventsAreReportedButNotRefused) {
  const std::vector<StatBump> bumps = {{stats::flow_start_without_end, {}, {}, -1, 3}};
  const std::vector<LossWarning> half = stage_losses(bumps, {}, Repairs::None);
  ASSERT_EQ(half.size(), 1U);
  EXPECT_EQ(half[0].level, StatLevel::Unpaired);
  EXPECT_FALSE(is_refused(half[0], {.strict = true}));
  EXPECT_TRUE(is_refused(half[0], {.strict = true, .strict_all = true}));
}

TEST(ReadingLosses, AQuoteEndsBetweenCharacters) {
  std::vector<EventBatch> chunks(1);
  EventSink sink(chunks[0]);
  sink.count(stats::json_name_type, 0, std::string(39, 'x') + "\xc3\xa9yz");
  EXPECT_EQ(messages_of(chunks)[0], "json_name_type at byte 0: " + std::string(39, 'x') + "...");
}

TEST(ReadingLosses, LevelsDecideWhatStrictRefuses) {
  std::vector<EventBatch> chunks(1);
  EventSink sink(chunks[0]);
  sink.count(stats::json_extra_comma, 1);
  sink.count(stats::json_pid_type, 2);
  sink.count(stats::json_name_missing, 3);
  const std::vector<LossWarning> grave = reading_losses(chunks, Repairs::Grave);
  ASSERT_EQ(grave.size(), 1U);
  EXPECT_FALSE(is_refused(grave[0], {.strict = true}));
  EXPECT_TRUE(is_refused(grave[0], {.strict = true, .strict_all = true}));
  EXPECT_EQ(reading_losses(chunks, Repairs::All).size(), 2U);
  sink.tally(stats::json_event_not_object, 2);
  const std::vector<LossWarning> lost = reading_losses(chunks, Repairs::Grave);
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_TRUE(is_refused(lost[1], {.strict = true}));
  EXPECT_TRUE(lost[1].error.message.starts_with("json_event_not_object, 2 times: An element"));
}

}  // namespace
}  // namespace tracebraid
