#include "event/make_event.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "event/event_traits.h"

namespace tracebraid {
namespace {

constexpr EventTime kTime{7, 3};
constexpr StringId kText{1};

constexpr std::array kEvents{
    make_slice(kTime, 0, 5, {.name = kText}),
    make_slice_begin(kTime, 0),
    make_slice_begin_once(kTime, 0),
    make_slice_end(kTime, 0, {}, true),
    make_instant(kTime, 0),
    make_async_step(kTime, 0, true, {}),
    make_flow(kTime, EventKind::FlowStart, 0, 9, {}),
    make_counter(kTime, 0, 0.5),
    make_counter_until_now(kTime, 0, 0.5),
    make_track_seen(kTime, 0),
    make_process_seen(kTime, 0, SeenProcess::Started, 0),
    make_process_name(kTime, 0, kText, 2),
    make_process_parent(kTime, 0, 1),
    make_process_cmdline(kTime, 0, kText),
    make_process_uid(kTime, 0, 10'000),
    make_process_start(kTime, 0, true),
    make_process_args(kTime, 0, 0),
    make_thread_seen(kTime, 0),
    make_thread_name(kTime, 0, kText, 2),
    make_task_rename(kTime, 0, kText, 1),
    make_thread_start(kTime, 0),
    make_thread_end(kTime, 0, true),
    make_thread_args(kTime, 0, 0),
    make_new_task(kTime, 0, 5, kText, true),
    make_thread_state(kTime, 0, kText, 5),
    make_sched_switch(kTime, 0, 5, 0),
    make_sched_waking(kTime, 0, 5, kText, 0),
    make_sched_blocked(kTime, 0, 5, 0),
    make_kernel_event(kTime, EventKind::FtraceEvent, {.cpu = 1, .tid = 5, .name = kText}),
    make_log(kTime, {.message = kText, .priority = 4, .source = kText}),
    make_sample(kTime, 0, {.name = kText, .weight = 2, .extra = 0}),
    make_aggregate_samples(kTime, 1),
    make_heap_dump(kTime, 0, kText, 5, 0),
    make_heap_graph(kTime, 0, 0),
    make_memory_dump(kTime, 0, 0),
    make_metadata_time(kTime, kText, TimeRule::Multi),
    make_stat_time(kTime, StatId{4}),
    make_chrome_raw(kTime, 0, kText, 0),
    make_metadata_event(kTime, 0, kText, 0),
    make_unhandled_event(kTime, 0, kText, kText),
    make_unfinished_complete(kTime, 0, 5, kText, kText, 0, kText),
    make_identified(kTime, EventKind::ObjectNew, 0, {.name = kText, .extra = 0}),
    make_linked_ids(kTime, 0, kText, kText, 0),
};

TEST(MakeEvent, FieldsAreThoseOfTheTraits) {
  for (const Event& event : kEvents) {
    const EventTraits& traits = traits_of(event.what());
    SCOPED_TRACE(traits.name);
    EXPECT_EQ(event.ts, kTime.ticks);
    EXPECT_EQ(event.clock, kTime.clock);
    EXPECT_EQ(event.track == kNone, traits.track == TrackField::None ||
                                        traits.track == TrackField::StatIndex ||
                                        event.what() == EventKind::Log);
    if (traits.value == ValueField::None) EXPECT_EQ(event.value, 0);
    if (traits.value == ValueField::Flag) EXPECT_EQ(event.value, 1);
    if (traits.value == ValueField::Real)
      EXPECT_GT(std::bit_cast<double>(event.value), 0);
    else if (traits.value != ValueField::None && event.what() != EventKind::SliceBegin)
      EXPECT_NE(event.value, 0);
    if (traits.extra == ExtraField::None) EXPECT_EQ(event.extra, kNone);
    if (!is_optional(traits.extra) && traits.extra != ExtraField::None &&
        event.what() != EventKind::MetadataTime)
      EXPECT_NE(event.extra, kNone);
  }
}

}  // namespace
}  // namespace tracebraid
