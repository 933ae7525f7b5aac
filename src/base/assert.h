// TB_ASSERT: holds in every build. For our own mistakes only; nothing that an
// input can cause may reach one (the fuzzers show it).
#pragma once

#include <cstdio>
#include <cstdlib>

#define TB_ASSERT(condition)                                                                  \
  do {                                                                                        \
    if (!(condition)) [[unlikely]] {                                                          \
      std::fprintf(stderr, "tracebraid: internal error: %s at %s:%d\n", #condition, __FILE__, \
                   __LINE__);                                                                 \
      std::abort();                                                                           \
    }                                                                                         \
  } while (0)
