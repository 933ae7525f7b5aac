// Files: the formats and the reading order of the members of the inputs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "container/members.h"
#include "event/batch.h"
#include "format/format.h"

namespace tracebraid {

// A row of trace_file and the content read from it. The index in the list is the row.
struct TraceFile {
  std::optional<uint32_t> parent;
  std::optional<std::string> name;  // as in trace_file
  std::string path;                 // with all outer archives, for messages
  ContainerKind container = ContainerKind::None;
  bool in_folder = false;  // an input found in a folder, not named by the user
  bool is_manifest = false;
  bool is_bugreport = false;       // trace time is REALTIME (spec clocks 11.2)
  const Format* format = nullptr;  // null: container, manifest or unknown
  uint64_t size = 0;
  std::optional<uint32_t> reading_rank;  // position before files without a rank (bug reports)
  std::optional<uint32_t> processing_order;
  std::function<Result<Input>()> open;  // empty if the file is not read
  std::vector<Error> problems;
  std::vector<EventBatch> chunks;  // output of the reader, in file order

  bool is_container() const { return container != ContainerKind::None; }
  std::string_view trace_type() const;
};

inline constexpr std::string_view kEmptyFile = "the file is empty";

// Detects the format of each leaf. A leaf that cannot be opened or has no known format gets a
// problem.
std::vector<TraceFile> recognise(std::vector<Member> members);

// Detects the format of a file found inside another and appends it, and its members if it is an
// archive. Returns an Error only if `progress` is cancelled.
Result<> add_embedded(uint32_t parent, Embedded embedded, const ContainerOptions& options,
                      Progress& progress, std::vector<TraceFile>& files);

// Sets processing_order: depth first, the members of each archive by (rank, name bytewise, physical
// order) (spec clocks 11.3). Returns the rows in this order.
std::vector<uint32_t> reading_order(std::vector<TraceFile>& files);

}  // namespace tracebraid
