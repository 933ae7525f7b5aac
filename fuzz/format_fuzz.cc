// Reads any bytes as a file of one format; TB_FUZZED is its name in src/format/formats.inc. The
// reader must not crash or hang, and its batches must be valid: every index in range, every arg set
// ended.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "format/batch_check.h"
#include "format/format.h"

namespace tracebraid::TB_FUZZED {
extern const Format kFormat;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  const Format& format = TB_FUZZED::kFormat;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(format.sniff({.head = bytes.substr(0, kPeekBytes), .name = "x"}));
  if (!flaw_of_reading(format, bytes).empty()) std::abort();
  return 0;
}
