// Writes and views the args of a store as parts of an image.
#pragma once

#include "tables/args_table.h"
#include "tables/image_parts.h"

namespace tracebraid {

void write_args(const ArgsTable& args, PartWriter& out);
// Views the args; adds their verification.
void view_args(PartReader& in, ArgsTable& args, Checks& checks, const StringPool& strings);
// Returns a digest of the storage of records.
size_t size_of_arg_shape();

}  // namespace tracebraid
