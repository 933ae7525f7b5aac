// Detects the kind of a container by its first bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class ContainerKind : uint8_t { None, Tar, Zip, Gzip, Zstd, Xz, Ctrace };
std::string_view name_of(ContainerKind kind);  // Returns tar, zip, gzip, ...: the `trace_type`.

inline constexpr size_t kSniffBytes = 512;

// Detects by content alone (spec clocks 11.1). Requires: `head` is the first kSniffBytes, or the
// whole file.
ContainerKind sniff_container(std::string_view head);

// Returns the offset of the compressed data of a ctrace.
size_t ctrace_data(std::string_view head);

// Returns whether `head` begins a merge manifest (spec clocks 10.1), which is split off the stream
// behind it.
bool looks_like_manifest(std::string_view head);

}  // namespace tracebraid
