// Names of classes in dumps of Android views, whose original names may come later in the file (spec
// proto-2 6). Called by Reader and DeferredReader at the end of the file.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>

#include "event/batch.h"

namespace tracebraid::proto {

using ViewClasses = absl::flat_hash_map<std::string, std::string>;  // by obfuscated name

// Returns the names of the first package and version that has some in the batch.
ViewClasses view_classes(const EventBatch& batch);

// Renames the classes in the args of the batch.
void rename_view_classes(const ViewClasses& classes, EventBatch& batch);

}  // namespace tracebraid::proto
