#include <malloc.h>

#include "base/guard_mapped_files.h"
#include "cli/run.h"
#include "engine/connection.h"

int main(int argc, char** argv) {
  // Returns large freed blocks to the system. By default, malloc keeps blocks up to the size of the
  // largest freed block.
  constexpr int kMappedAlone = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedAlone);
  tracebraid::guard_mapped_files(true);
  tracebraid::stop_counting_sqlite_memory();
  return tracebraid::run_command_line(argc, argv);
}
