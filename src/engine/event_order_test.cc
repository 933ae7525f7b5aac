#include "engine/event_order.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "engine/clocks.h"
#include "engine/connection.h"
#include "engine/timeline.h"
#include "engine/trace.h"
#include "merge/merge.h"
#include "query/row_sink.h"

namespace tracebraid {
namespace {

using timeline::TableKind;

class EventOrderTest : public testing::Test {
 protected:
  EventOrderTest() {
    std::vector<std::string> paths;
    for (const char* name : {"app.json", "phone.pftrace", "watch.pftrace", "manifest.json"})
      paths.push_back(fmt::format("{}/examples/{}", std::getenv("TRACEBRAID_SOURCE"), name));
    Progress progress;
    trace_ = *Trace::open(*Engine::create({.threads = 2}), paths, {}, progress);
    timeline_ = *TraceTimeline::open(trace_, uint64_t{16} << 20, Stop());
  }

  // Returns the text of the only cell of a statement's result; "NULL" for NULL.
  Result<std::string> cell(const std::string& sql) {
    class First : public RowSink {
     public:
      void columns(std::span<const std::string>) override {}
      bool row(std::span<const Cell> cells) override {
        text = cells[0].kind == Cell::Kind::Null ? "NULL" : std::string(cells[0].text);
        return true;
      }
      std::string text = "no row";
    } first;
    TB_TRY_ASSIGN(const auto connection, TraceConnection::open(trace_));
    TB_TRY(connection->run(sql, first));
    return first.text;
  }

  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const TraceTimeline> timeline_;
};

std::string text_of(const EventOrder& order) {
  const auto number = [](const std::optional<int64_t>& value) {
    return value ? std::to_string(*value) : "null";
  };
  return fmt::format(R"("order":"{}","reason":"{}","gap_ns":{},"bound_ns":{})",
                     name_of(order.order), name_of(order.reason), number(order.gap_ns),
                     number(order.bound_ns));
}

// Paths that were kept give what paths that are found anew give, and SQL the same.
TEST_F(EventOrderTest, KeptPathsChangeNoOrder) {
  const auto slices = static_cast<uint32_t>(trace_->merged().store->slices.rows());
  ASSERT_GT(slices, 200U);
  std::set<std::string> seen;
  for (uint32_t a = 0; a < slices; a += 41) {
    for (uint32_t b = 3; b < slices; b += 37) {
      const EventKey first{TableKind::Slice, a}, second{TableKind::Slice, b};
      const EventOrder kept = *timeline_->order(first, second);
      const EventOrders anew(trace_->merged().clocks);
      const std::string text = text_of(kept);
      EXPECT_EQ(text, text_of(*anew.order(timeline_->get(), first, second))) << a << " " << b;
      const Result<std::string> sql =
          cell(fmt::format("SELECT event_order('slice', {}, 'slice', {})", a, b));
      ASSERT_TRUE(sql) << sql.error().message;
      EXPECT_NE(sql->find(text), std::string::npos) << *sql << "\n" << text;
      seen.insert(std::string(name_of(kept.order)));
    }
  }
  EXPECT_GE(seen.size(), 3U);
}

// The readings of the clocks at an event, and their bounds, are conversions of the event's own
// clock.
TEST_F(EventOrderTest, ReadingsOfOtherClocksAreConversions) {
  const Store& store = *trace_->merged().store;
  size_t compared = 0;
  for (uint32_t row = 0; row < store.slices.rows(); row += 29) {
    const auto times =
        *timeline_->orders().readings_at(timeline_->get(), {TableKind::Slice, row}, {});
    ASSERT_FALSE(times.empty());
    const ClockTime& first = times.front();
    EXPECT_TRUE(first.is_own);
    const auto own = std::ranges::count_if(times, &ClockTime::is_own);
    EXPECT_EQ(times.size(), static_cast<size_t>(own) + 2);  // wall clocks of phone and watch
    for (const ClockTime& time : times) {
      ASSERT_TRUE(time.reading_ns) << time.label;
      if (time.is_own || own != 1) continue;
      const auto converter = ClockConverter::open(trace_, first.clock, time.clock);
      ASSERT_TRUE(converter) << converter.error().message;
      int64_t reading = 0, bound = 0;
      ASSERT_TRUE(
          (*converter)->convert({&*first.reading_ns, 1}, {&reading, 1}, {&bound, 1}, nullptr));
      EXPECT_EQ(reading, *time.reading_ns) << first.label << " to " << time.label;
      EXPECT_EQ(bound, time.bound_ns.value_or(kUnbounded)) << first.label << " to " << time.label;
      ++compared;
    }
  }
  EXPECT_GT(compared, 10U);
  const uint32_t beyond[] = {static_cast<uint32_t>(store.clocks.rows())};
  EXPECT_FALSE(timeline_->orders().readings_at(store, 0, std::nullopt, beyond));
}

// The clocks of the app and the watch are those of their tracks, so an order needs no other.
TEST_F(EventOrderTest, ClocksOfTracksAreThoseOfTheirEvents) {
  const Store& store = *trace_->merged().store;
  size_t single = 0;
  for (uint32_t row = 0; row < store.slices.rows(); row += 29) {
    const OptRow clock = store.tracks.clock_id[store.slices.track_id[row]];
    const auto times =
        *timeline_->orders().readings_at(timeline_->get(), {TableKind::Slice, row}, {});
    const auto own = std::ranges::count_if(times, &ClockTime::is_own);
    if (clock.row == OptRow::kNull) continue;
    EXPECT_EQ(own, 1) << row;
    EXPECT_EQ(times.front().clock, clock.row) << row;
    ++single;
  }
  EXPECT_GT(single, 10U);
  // Tables without tracks have rows of source_clock.
  EXPECT_EQ(
      cell(
          "SELECT CAST(count(*) > 0 AS TEXT) FROM source_clock s JOIN clock c ON c.id = s.clock_id "
          "WHERE s.table_name = 'sched' AND c.name = 'BOOTTIME'"),
      "1");
  EXPECT_EQ(
      cell(
          "SELECT CAST(count(*) AS TEXT) FROM source_clock s LEFT JOIN placement p ON p.trace_id = "
          "s.trace_id AND p.machine_id = s.machine_id AND p.clock_id IS s.clock_id "
          "WHERE p.id IS NULL OR p.placed = 0"),
      "0");
}

// The path of an order leads from the clock of the first event to that of the second, over rows of
// clock_edge that connect its clocks, and its bound is not smaller than those of its hops.
TEST_F(EventOrderTest, PathConnectsTheClocksOfBothEvents) {
  const Store& store = *trace_->merged().store;
  const auto slices = static_cast<uint32_t>(store.slices.rows());
  size_t longest = 0, equal = 0;
  for (uint32_t a = 0; a < slices; a += 29) {
    for (uint32_t b = 3; b < slices; b += 31) {
      const EventOrder found = *timeline_->order({TableKind::Slice, a}, {TableKind::Slice, b});
      ASSERT_TRUE(found.first && found.second);
      const std::vector<OrderStep>& path = found.path;
      if (found.first->label == found.second->label) {
        EXPECT_TRUE(path.empty());
        ++equal;
        continue;
      }
      ASSERT_GE(path.size(), 2U);
      EXPECT_EQ(path.front().label, found.first->label);
      EXPECT_EQ(path.back().label, found.second->label);
      EXPECT_FALSE(path.back().edge);
      int64_t bounds = 0;
      for (size_t i = 0; i + 1 < path.size(); ++i) {
        ASSERT_TRUE(path[i].edge) << path[i].label;
        const uint32_t from = store.clock_edges.from_clock[*path[i].edge];
        const uint32_t to = store.clock_edges.to_clock[*path[i].edge];
        EXPECT_EQ(std::minmax(from, to), std::minmax(path[i].clock, path[i + 1].clock));
        EXPECT_EQ(path[i].source, store.strings.get(store.clock_edges.source[*path[i].edge]));
        bounds += path[i].bound_ns.value_or(0);
      }
      EXPECT_LE(bounds, found.bound_ns.value_or(kUnbounded));
      longest = std::max(longest, path.size());
    }
  }
  EXPECT_EQ(longest, 6U);  // own timeline, phone, both wall clocks, watch, a writer's clock
  EXPECT_GT(equal, 0U);
}

TEST_F(EventOrderTest, SqlRefusesKindsAndHasNoOrderOfMissingRows) {
  EXPECT_EQ(cell("SELECT event_order('slice', 0, 'slice', 1 << 40)"), "NULL");
  EXPECT_EQ(cell("SELECT event_order('slice', -1, 'slice', 0)"), "NULL");
  EXPECT_EQ(cell("SELECT event_order('slice', NULL, 'slice', 0)"), "NULL");
  EXPECT_FALSE(cell("SELECT event_order('spoon', 0, 'slice', 0)"));
  EXPECT_FALSE(cell("SELECT event_order('slice', 'x', 'slice', 0)"));
  EXPECT_FALSE(cell("SELECT event_order(1, 0, 'slice', 0)"));
  EXPECT_NE(cell("SELECT event_order('sched', 3, 'thread_state', 5)"), "NULL");
}

}  // namespace
}  // namespace tracebraid
