// Writes rows as text, in the formats of `query --format`. In: result sets. Out: bytes to a
// descriptor.
#pragma once

#include "export/rows/cell_text.h"
#include "export/rows/output.h"
#include "export/rows/row_writer.h"
