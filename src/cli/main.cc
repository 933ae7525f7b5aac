#include <malloc.h>

#include <cstdlib>

#include "base/guard_mapped_files.h"
#include "base/new_file.h"
#include "cli/host.h"
#include "cli/no_memory.h"
#include "cli/run.h"
#include "engine/connection.h"

namespace {

// Called at exit: libarchive ends the program itself when memory runs out.
void end_early() {
  if (!tracebraid::unfinished_files().empty()) tracebraid::end_without_memory();
}

}  // namespace

int main(int argc, char** argv) {
  // Returns large freed blocks to the system. By default, malloc keeps blocks up to the size of the
  // largest freed block.
  constexpr int kMappedAlone = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedAlone);
  std::atexit(end_early);
  tracebraid::guard_mapped_files(true);
  tracebraid::stop_counting_sqlite_memory();
  return tracebraid::run_command_line(argc, argv);
}
