// TB_ASSERT: checks an invariant in every build. It is for mistakes of this program only: no input
// may make an assertion fail (fuzzers check this).
#pragma once

#include <stdexcept>

namespace tracebraid {

// A broken invariant, after which the object under construction cannot be used. Thrown on any
// thread of the library, passed on to the caller by Workers, and turned into ErrorCode::Internal at
// the boundary (base/boundary.h). The program prints the message and aborts.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throw_internal_error(const char* condition, const char* file, int line);

}  // namespace tracebraid

#define TB_ASSERT(condition)                                              \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::tracebraid::throw_internal_error(#condition, __FILE__, __LINE__); \
  } while (0)
