#include <malloc.h>

#include "cli/run.h"

int main(int argc, char** argv) {
  // Memory that one stage of reading frees is to be free for good: by default, what is larger
  // stays within the process once something as large was freed.
  constexpr int kMappedAlone = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedAlone);
  return tracebraid::run_command_line(argc, argv);
}
