// Batches and schemas through the Arrow C data interface. In: values of the engine. Out: structs
// that share the buffers, without a copy. Called by stream.cc and query.cc.
#pragma once

#include <memory>

#include "capi/held_buffers.h"
#include "capi/tracebraid.h"
#include "engine/query.h"

namespace tracebraid::capi {

// Set *out to a struct with a child for each column, which the caller releases. May throw
// std::bad_alloc, and leave *out unchanged then. `held` counts the buffers until the release.
void export_schema(const Schema& schema, ArrowSchema* out);
void export_batch(const RecordBatch& batch, const std::shared_ptr<HeldBuffers>& held,
                  ArrowArray* out);

}  // namespace tracebraid::capi
