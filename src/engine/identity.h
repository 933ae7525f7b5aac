// TraceIdentity: what the files of a trace are, so that a saved state of the viewer finds them
// again under other names and in other folders.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracebraid {

struct FileIdentity {
  std::string name;  // for display
  uint64_t size;     // bytes
  std::string digest;
};

struct TraceIdentity {
  std::string key;  // 32 hexadecimal digits: changes with the content and order of the files
  std::vector<FileIdentity> files;
};

// A file that is known by another name than that of its path.
struct NamedFile {
  std::string name, path;
};

// Reads the first and the last 64 KiB of each file: those of `paths`, of which folders stand for
// their files, and `named` behind them. A digest covers these bytes and the size. `is_left_out`
// gets each path. Returns nothing without files, and if one of them is not a plain file that can be
// read.
std::optional<TraceIdentity> identity_of(
    std::span<const std::string> paths, std::span<const NamedFile> named,
    const std::function<bool(const std::string&)>& is_left_out);

}  // namespace tracebraid
