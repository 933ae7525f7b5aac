#include "base/time.h"

#include <gtest/gtest.h>

#include <limits>

namespace tracebraid {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// Mixing kinds of time or of ids must not compile.
template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };
template <class A, class B>
concept Comparable = requires(A a, B b) { a == b; };
static_assert(!Addable<TraceTime, TraceTime>);
static_assert(!Addable<TraceTime, Duration>);
static_assert(!Addable<TraceTime, int64_t>);
static_assert(!Comparable<TraceTime, Duration>);
static_assert(!Comparable<TraceTime, int64_t>);
static_assert(!Comparable<StringId, ClockId>);
static_assert(!Comparable<StringId, uint32_t>);
static_assert(Comparable<TraceTime, TraceTime>);
static_assert(Comparable<StringId, StringId>);

TEST(Time, SumsAndDifferencesAreChecked) {
  EXPECT_EQ(add(TraceTime{5}, Duration{-7}), TraceTime{-2});
  EXPECT_EQ(add(TraceTime{kMax}, Duration{1}), std::nullopt);
  EXPECT_EQ(between(TraceTime{3}, TraceTime{10}), Duration{7});
  EXPECT_EQ(between(TraceTime{-2}, TraceTime{kMax}), std::nullopt);
}

}  // namespace
}  // namespace tracebraid
