// Members: what is inside the paths the user named, archives and compression
// undone, in any nesting.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "container/input.h"

namespace tracebraid {

// Guards against bombs and endless nesting; each has a command line option.
struct ContainerLimits {
  uint64_t max_member_bytes = uint64_t{1} << 40;  // uncompressed, one member
  uint64_t max_total_bytes = uint64_t{1} << 42;   // uncompressed, all of one input
  uint64_t max_ratio = 2000;                      // uncompressed / compressed, from 64 MiB on
  uint32_t max_members = 4'000'000;               // of one input
  uint32_t max_depth = 16;                        // archives within archives
};

enum class ContainerKind : uint8_t { None, Tar, Zip, Gzip, Zstd, Xz, Ctrace };
std::string_view name_of(ContainerKind kind);  // tar, zip, gzip, ...: the `trace_type`

// One node of the tree of files: the row of `trace_file` it will be, and, for a
// leaf, how to read it. Order: every member of an archive in physical order,
// right after one another; children of the first, of the second ... follow.
struct Member {
  std::optional<uint32_t> parent;  // index in the same list
  std::optional<std::string>
      name;          // as in trace_file: none for an input, "" in gzip (spec clocks 12.3)
  std::string path;  // scoped, for people: outer.zip/inner.tar/x.json
  ContainerKind container = ContainerKind::None;
  uint64_t size = 0;     // as listed: compressed in ZIP, stored in TAR (spec clocks 12.3)
  bool empty = false;    // no bytes at all
  bool ignored = false;  // has a row, is not read (e.g. in a bugreport ZIP)
  // Opens the bytes from the start; for leaves only. May be called again.
  std::function<Result<Input>()> open;
  // What was wrong with it, e.g. a truncated archive behind this member.
  std::vector<Error> problems;
};

// A path is a file, a directory (its files by name, hidden ones left out) or
// "-" for stdin. A path that cannot be opened is an Error. What is wrong inside
// an archive is in `problems` of the archive's member: its other members stay.
// Several paths behave like the members of one archive that has no row.
Result<std::vector<Member>> open_members(std::span<const std::string> paths,
                                         const ContainerLimits& limits, Progress& progress);

}  // namespace tracebraid
