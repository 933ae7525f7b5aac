#include "base/boundary.h"

#include <gtest/gtest.h>

#include <new>
#include <system_error>

#include "base/assert.h"
#include "base/workers.h"

namespace tracebraid {
namespace {

TEST(Boundary, ReturnsWhatTheWorkReturns) {
  EXPECT_EQ(at_boundary([]() -> Result<int> { return 7; }).value(), 7);
  const Result<int> failed =
      at_boundary([]() -> Result<int> { return fail(ErrorCode::Io, "broken"); });
  EXPECT_EQ(failed.error().message, "broken");
}

TEST(Boundary, ExceptionsBecomeErrors) {
  const auto code_of = [](auto throw_it) {
    return at_boundary([&]() -> Result<> {
             throw_it();
             return {};
           })
        .error()
        .code;
  };
  EXPECT_EQ(code_of([] { throw std::bad_alloc(); }), ErrorCode::NoMemory);
  EXPECT_EQ(code_of([] { throw std::system_error(EAGAIN, std::generic_category()); }),
            ErrorCode::Io);
  EXPECT_EQ(code_of([] { throw std::out_of_range("at"); }), ErrorCode::Internal);
  EXPECT_EQ(code_of([] { throw 7; }), ErrorCode::Internal);
}

TEST(Boundary, AnAssertionThatFailsOnAnyThreadIsAnInternalError) {
  for (const unsigned threads : {1U, 4U}) {
    Workers workers(threads);
    const Result<> done = at_boundary([&]() -> Result<> {
      workers.run(100, [](size_t i) { TB_ASSERT(i != 50); });
      return {};
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Internal);
    EXPECT_TRUE(done.error().message.starts_with("internal error: i != 50 at "))
        << done.error().message;
  }
}

}  // namespace
}  // namespace tracebraid
