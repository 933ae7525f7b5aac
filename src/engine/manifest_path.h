// How a manifest names the files of a merge.
#pragma once

#include <string>

#include "report/labels.h"

namespace tracebraid {

// Returns the path by which a manifest beside the inputs names the file (a row of trace_file): the
// names of the archives around it and its own, joined by '/'. Empty for a sole input.
inline std::string manifest_path(const Store& store, uint32_t row) {
  std::string path;
  for (uint32_t at = row; at < store.files.rows(); at = store.files.parent_id[at].row) {
    const std::string_view name = text_of(store, store.files.name[at]);
    if (!name.empty()) path = std::string(name) + (path.empty() ? "" : "/") + path;
  }
  return path;
}

}  // namespace tracebraid
