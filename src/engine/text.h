// Text for people: numbers with units, and text of inputs made fit for a terminal.
#pragma once

#include "report/text.h"
#include "report/units.h"
