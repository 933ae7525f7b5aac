// Text for display: numbers with units, and text of inputs escaped for a terminal.
#pragma once

#include "report/text.h"
#include "report/units.h"
