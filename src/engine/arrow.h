// Arrow IPC streams of the rows of a query, and batches made of cells. In: batches. Out: bytes to a
// sink.
#pragma once

#include "export/arrow/stream.h"
#include "query/batch/column_builder.h"
