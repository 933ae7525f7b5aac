// Descriptions of tables, columns, and modules of SQL. In: names. Out: declarations.
#pragma once

#include "query/library/documentation.h"
#include "tables/registry.h"
