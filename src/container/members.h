// Members: the files inside the paths of the user, with archives and compression undone, in any
// nesting.
//
// Input: paths, descriptors or bytes. Output: a list of members, each with an Input that any thread
// can open. Called by merge.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "container/input.h"
#include "container/limits.h"
#include "container/meter.h"
#include "container/sniff.h"
#include "container/trace_input.h"

namespace tracebraid {

// One node of the tree of files: a future row of `trace_file`, and, for a leaf, how to read it.
// Order: the members of an archive in physical order, one after another; then the members of the
// archives among them, in the order in which these are listed: ctrace last, else by name (spec
// clocks 11.3).
struct Member {
  std::optional<uint32_t> parent{};  // index in the same list
  // The name in trace_file: none for a sole input, "" in gzip (spec clocks 12.3).
  std::optional<std::string> name{};
  std::string path;  // with all outer archives, for messages: outer.zip/inner.tar/x.json
  ContainerKind container = ContainerKind::None;
  // Size of a leaf as listed: compressed in ZIP, stored in TAR, 0 in gzip. Size of an archive: its
  // bytes (spec clocks 12.3).
  uint64_t size = 0;
  bool empty = false;      // no bytes at all
  bool in_folder = false;  // an input found in a folder, not named by the user
  bool ignored = false;    // has a row but is not read, such as other files of a bugreport ZIP
  // Whether the file is part of an Android bug report: then trace time is REALTIME (spec clocks
  // 11.2).
  bool bugreport = false;
  // Position in reading order, if the archive determines it instead of formats and names: the text
  // and the logs of a bug report.
  std::optional<uint32_t> reading_rank{};
  // Opens the bytes from the start. Set for readable leaves only. May be called more than once, and
  // on any thread.
  std::function<Result<Input>()> open{};
  // Damage of this member, such as a truncated archive.
  std::vector<Error> problems{};
};

// Lists the members of all inputs. An input is a file, a directory (its files by name, without
// hidden ones), bytes in memory or a stream. A path that cannot be opened is an Error. Damage
// inside an archive is in `problems` of the archive's member; its other members are listed. Several
// inputs behave like the members of one archive without a row: files are named by the last
// component of their path, files of a directory by their path relative to it.
Result<std::vector<Member>> open_members(std::span<const TraceInput> inputs,
                                         const ContainerOptions& options, Progress& progress);

// Lists the members of bytes in memory, such as a trace embedded in another. `owner` keeps the
// bytes alive. The first member is the bytes themselves; it has no name. Returns an Error only if
// `progress` is cancelled.
Result<std::vector<Member>> open_bytes(std::string path, std::string_view bytes,
                                       std::shared_ptr<const void> owner,
                                       const ContainerOptions& options, Progress& progress);

}  // namespace tracebraid
