// Tokens of SQL, for completion. In: text. Out: its tokens, by SQLite's rules.
#pragma once

#include "query/compile/tokens.h"
