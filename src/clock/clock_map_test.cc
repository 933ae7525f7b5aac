#include "clock/clock_map.h"
#include <gtest/gtest.h>
