// TB_ASSERT: a check of an invariant that every build makes. For mistakes of this program only:
// no input may make one fail (the fuzzers show it).
#pragma once

#include <stdexcept>

namespace tracebraid {

// An invariant does not hold, so what was being built cannot be used. Thrown on any thread of the
// library, passed on to the caller by Workers, and turned into ErrorCode::Internal at the boundary
// (base/boundary.h). The program prints the message and aborts.
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
