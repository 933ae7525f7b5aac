// Parses any text as a manifest. An accepted manifest can be written and parsed again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "manifest/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::ignore = is_manifest(text);
  std::vector<std::string> warnings;
  const Result<Manifest> manifest = parse_manifest(text, warnings);
  if (!manifest) {
    TB_ASSERT(manifest.error().code == ErrorCode::BadManifest);
    TB_ASSERT(!manifest.error().message.empty());
    return 0;
  }
  const std::string written = write_manifest(*manifest);
  warnings.clear();
  const Result<Manifest> again = parse_manifest(written, warnings);
  TB_ASSERT(again.has_value());
  TB_ASSERT(warnings.empty());
  TB_ASSERT(write_manifest(*again) == written);
  return 0;
}
