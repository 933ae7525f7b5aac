#include "container/sniff.h"

#include <string>

#include "container/codec.h"
#include "container/tar.h"
#include "container/zip.h"

namespace tracebraid {
namespace {

constexpr size_t kLookAhead = 128;
constexpr std::string_view kCtraceMark = "TRACE:\n";
constexpr std::string_view kCtraceMagic = "TRACE:\n\x78\x9c";

}  // namespace

std::string_view name_of(ContainerKind kind) {
  switch (kind) {
    case ContainerKind::Tar:
      return "tar";
    case ContainerKind::Zip:
      return "zip";
    case ContainerKind::Gzip:
      return "gzip";
    case ContainerKind::Zstd:
      return "zstd";
    case ContainerKind::Xz:
      return "xz";
    case ContainerKind::Ctrace:
      return "ctrace";
    case ContainerKind::None:
      break;
  }
  return "unknown";
}

ContainerKind sniff_container(std::string_view head) {
  using namespace std::string_view_literals;
  if (is_tar(head)) return ContainerKind::Tar;
  if (is_zip(head)) return ContainerKind::Zip;
  if (starts_frame(Codec::Gzip, head)) return ContainerKind::Gzip;
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return ContainerKind::Zstd;
  if (starts_frame(Codec::Xz, head)) return ContainerKind::Xz;
  if (head.substr(0, kLookAhead).find(kCtraceMagic) != std::string_view::npos)
    return ContainerKind::Ctrace;
  return ContainerKind::None;
}

size_t ctrace_data(std::string_view head) { return head.find(kCtraceMagic) + kCtraceMark.size(); }

bool looks_like_manifest(std::string_view head) {
  std::string squeezed;
  for (const char c : head.substr(0, kLookAhead))
    if (std::string_view(" \t\n\v\f\r").find(c) == std::string_view::npos) squeezed += c;
  return squeezed.starts_with("{\"perfetto_manifest\"");
}

}  // namespace tracebraid
