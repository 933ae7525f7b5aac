// HostFiles: how the library uses files. The host decides.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file_damage.h"
#include "base/input_files.h"

namespace tracebraid {

class HostAllocator;    // base/pages.h
class MappingGuard;     // base/mapped_file.h
class UnfinishedFiles;  // base/new_file.h

enum class FileAccess : uint8_t {
  Read,  // bytes are copied: a file that shrinks or a disk that fails is an Error
  Map,   // bytes are mapped: faster, but needs a host that handles SIGBUS (see MappingGuard)
};

// A plain value that stages pass on. The default suits a library: it changes nothing in the process
// and reads nothing of its environment.
struct HostFiles {
  // Access to the inputs. Braids and temporary files are always mapped, because nothing writes to
  // them.
  FileAccess access = FileAccess::Read;
  std::string temporary_directory = "/tmp";
  bool dash_is_standard_input = false;  // otherwise "-" is an ordinary file name
  // Informed of each mapping, if the host handles SIGBUS. Must outlive all opened traces.
  MappingGuard* mapping_guard = nullptr;
  // Informed of each unfinished output, if the host may end without running destructors. Must
  // outlive the outputs.
  UnfinishedFiles* unfinished_files = nullptr;
  // The operator new of the host, if it keeps blocks in files when memory is short; then SQLite may
  // keep rows in temporary files, too. Outlives everything that is opened.
  HostAllocator* allocator = nullptr;
  // Damage to the files of one opening. Copies of this struct share the list; each opening makes a
  // list of its own.
  std::shared_ptr<FileDamage> damage = std::make_shared<FileDamage>();
  // The inputs of one opening, shared like `damage`. No output replaces one of them.
  std::shared_ptr<InputFiles> inputs = std::make_shared<InputFiles>();
};

}  // namespace tracebraid
