// Arrow IPC streams of the rows of a query. In: batches. Out: bytes to a sink.
#pragma once

#include "export/arrow/stream.h"
