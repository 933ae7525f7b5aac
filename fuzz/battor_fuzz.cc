// Any bytes as a log of BattOr. Nothing may crash or hang, and what comes out must be sound.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "format/format.h"
#include "format/proto/batch_check.h"

namespace tracebraid::battor {
extern const Format kFormat;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  battor::kFormat.sniff({.head = bytes.substr(0, kPeekBytes), .name = "x"});
  Workers workers(1);
  Pieces pieces(workers);
  Input input(bytes);
  const Result<> done = battor::kFormat.read(input, {}, pieces);
  static_cast<void>(done);
  for (const EventBatch& batch : std::move(pieces).finish())
    if (!proto::flaw_of(batch).empty()) std::abort();
  return 0;
}
