// PartSink: receives the parts of an image (tables/image.h).
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Each part may be several appends. When parts are mapped, each begins at a multiple of kPartAlign.
class PartSink {
 public:
  virtual ~PartSink() = default;
  virtual Result<> append(std::string_view bytes) = 0;
  virtual void end_part() = 0;
};
inline constexpr size_t kPartAlign = 64;

}  // namespace tracebraid
