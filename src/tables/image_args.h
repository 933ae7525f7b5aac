// The args of a store as parts of an image.
#pragma once

#include "tables/args_table.h"
#include "tables/image_parts.h"

namespace tracebraid {

void write_args(const ArgsTable& args, PartWriter& out);
// As view_image(): adds what is to be looked at before the args are.
void view_args(PartReader& in, ArgsTable& args, Checks& checks, const StringPool& strings);
// What a change to the records of shapes changes.
size_t size_of_arg_shape();

}  // namespace tracebraid
