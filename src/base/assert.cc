#include "base/assert.h"

#include <fmt/format.h>

namespace tracebraid {

void throw_internal_error(const char* condition, const char* file, int line) {
  throw InternalError(fmt::format("internal error: {} at {}:{}", condition, file, line));
}

}  // namespace tracebraid
