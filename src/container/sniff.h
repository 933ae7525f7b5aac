// Detects the kind of a container by its first bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class ContainerKind : uint8_t { None, Tar, Zip, Gzip, Zstd, Xz, Ctrace };
std::string_view name_of(ContainerKind kind);  // tar, zip, gzip, ...: the `trace_type`

inline constexpr size_t kSniffBytes = 512;

// By content alone (spec clocks 11.1). `head`: the first kSniffBytes, or all.
ContainerKind sniff_container(std::string_view head);

// Offset of the compressed data of a ctrace.
size_t ctrace_data(std::string_view head);

// A merge manifest (spec clocks 10.1); needed to split a stream behind one.
bool looks_like_manifest(std::string_view head);

}  // namespace tracebraid
