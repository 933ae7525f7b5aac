// HostFiles: how the library uses files, as the host decides.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file_damage.h"

namespace tracebraid {

class HostAllocator;    // base/pages.h
class MappingGuard;     // base/mapped_file.h
class UnfinishedFiles;  // base/new_file.h

enum class FileAccess : uint8_t {
  Read,  // bytes are copied: a file that shrinks or a disk that fails is an Error
  Map,   // bytes are mapped: faster, but needs a host that handles SIGBUS (see MappingGuard)
};

// A plain value that stages hand on. The default suits a library: it changes nothing in the process
// and reads nothing of its environment. A host sets what it wants to differ.
struct HostFiles {
  // Of the inputs. Braids and temporary files are mapped always: nobody writes to them.
  FileAccess access = FileAccess::Read;
  std::string temporary_directory = "/tmp";
  bool dash_is_standard_input = false;  // otherwise "-" is a file name like any other
  // Told of each mapping, if the host handles SIGBUS. Outlives everything that is opened.
  MappingGuard* mapping_guard = nullptr;
  // Told of each unfinished output, if the host may end without destructors. Outlives them.
  UnfinishedFiles* unfinished_files = nullptr;
  // The operator new of the host, if it keeps blocks in files when memory is short; then SQLite may
  // keep rows in temporary files, too. Outlives everything that is opened.
  HostAllocator* allocator = nullptr;
  // Damage to the files of one opening. Copies of this struct share the list: an opening makes one
  // of its own.
  std::shared_ptr<FileDamage> damage = std::make_shared<FileDamage>();
};

}  // namespace tracebraid
