// ArchiveWriter: writes archives of traces, for `tracebraid merge`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/host_files.h"
#include "base/progress.h"
#include "base/result.h"

namespace tracebraid {

enum class ArchiveFormat : uint8_t {
  Tar,  // stored; pax headers for long names and for 8 GiB and more
  Zip,  // deflated; ZIP64 from 4 GiB on
};

struct ArchiveEntry {
  std::string name;                  // in the archive, kept byte for byte
  std::string path;                  // path of the file to copy; unused if there are bytes
  std::optional<std::string> bytes;  // the content itself, such as a manifest
  bool in_folder = false;            // found in a folder, not named by the user
  bool without_time = false;         // has time 0 instead of the file's, as bytes have
};

// Writes next to `path` and renames at the end, so that `path` is either complete or unchanged.
// Returns an Error of code Usage if `path` is one of the inputs. Devices and pipes are written
// directly. Errors name the file and the reason. Progress: stage "packing".
Result<> write_archive(const std::string& path, ArchiveFormat format,
                       std::span<const ArchiveEntry> entries, const HostFiles& files,
                       Progress& progress);

}  // namespace tracebraid
