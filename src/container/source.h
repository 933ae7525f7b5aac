// Sources: the files behind the paths that the user named.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "container/bytes.h"
#include "container/meter.h"

namespace tracebraid {

struct Source {
  std::optional<std::string> name;  // as in trace_file: none for a sole file
  std::string path;                 // for people
  Bytes bytes;
  std::optional<Error> problem;  // not, or not wholly, readable
};

// Files of a directory come in bytewise order of their paths, without hidden
// ones and without links to directories; their names are relative to it. Of
// several paths, files are named by the last part of their path. "-" is stdin.
Result<std::vector<Source>> open_sources(std::span<const std::string> paths,
                                         const std::shared_ptr<Budget>& budget, Progress& progress);

// Any component that starts with a dot, other than "." and ".." (spec clocks
// 11.2).
bool is_hidden(std::string_view path);

}  // namespace tracebraid
