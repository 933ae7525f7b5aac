// The modules __intrinsic_counter_mipmap and __intrinsic_slice_mipmap: samples and slices reduced
// to one row for each step of time (spec sql-dialect 3.6).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// The context must outlive the connection.
Result<> add_mipmaps(OperatorContext& context);

}  // namespace tracebraid
