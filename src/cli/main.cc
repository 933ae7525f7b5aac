#include <malloc.h>

#include <cstdlib>

#include "base/new_file.h"
#include "cli/guard_mapped_files.h"
#include "cli/host.h"
#include "cli/no_memory.h"
#include "cli/run.h"
#include "engine/connection.h"

namespace {

// libarchive ends the program by itself when it has no memory.
void end_early() {
  if (!tracebraid::unfinished_files().empty()) tracebraid::end_without_memory();
}

}  // namespace

int main(int argc, char** argv) {
  // Memory that one stage of reading frees is to be free for good: by default, what is larger
  // stays within the process once something as large was freed.
  constexpr int kMappedAlone = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedAlone);
  std::atexit(end_early);
  tracebraid::guard_mapped_files(true);
  tracebraid::stop_counting_sqlite_memory();
  return tracebraid::run_command_line(argc, argv);
}
