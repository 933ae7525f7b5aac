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

// One node of the tree of files: the row of `trace_file` it will be, and, for a
// leaf, how to read it. Order: every member of an archive in physical order,
// right after one another; then what is inside them, in the order in which the
// archives among them are taken: ctrace last, else by name (spec clocks 11.3).
struct Member {
  std::optional<uint32_t> parent{};  // index in the same list
  // As in trace_file: none for a sole input, "" in gzip (spec clocks 12.3).
  std::optional<std::string> name{};
  std::string path;  // scoped, for people: outer.zip/inner.tar/x.json
  ContainerKind container = ContainerKind::None;
  // Of a leaf, as listed: compressed in ZIP, stored in TAR, 0 in gzip. Of an
  // archive, its bytes (spec clocks 12.3).
  uint64_t size = 0;
  bool empty = false;    // no bytes at all
  bool ignored = false;  // has a row, is not read (e.g. in a bugreport ZIP)
  // An Android bug report: trace time is REALTIME (spec clocks 11.2).
  bool bugreport = false;
  // Where the archive decides in which order its members are read, not their
  // formats and names: the text and the logs of a bug report.
  std::optional<uint32_t> reading_rank{};
  // Opens the bytes from the start; for leaves only, and empty for what cannot
  // be read at all. May be called again, and on any thread.
  std::function<Result<Input>()> open{};
  // What was wrong with it, e.g. a truncated archive behind this member.
  std::vector<Error> problems{};
};

// An input is a file, a directory (its files by name, without hidden ones), bytes in memory or a
// stream. A path that cannot be opened is an Error. What is wrong inside an archive is in
// `problems` of the archive's member: its other members stay. Several inputs behave like the
// members of one archive that has no row: files are then named by the last part of their path,
// those of a directory by the path from there.
Result<std::vector<Member>> open_members(std::span<const TraceInput> inputs,
                                         const ContainerOptions& options, Progress& progress);

// The same for bytes in memory, such as a trace embedded in another. `owner` keeps them alive. The
// first member is the bytes themselves; it has no name. An Error only if `progress` is cancelled.
Result<std::vector<Member>> open_bytes(std::string path, std::string_view bytes,
                                       std::shared_ptr<const void> owner,
                                       const ContainerOptions& options, Progress& progress);

}  // namespace tracebraid
