#include "query/compile/memory_files.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace tracebraid {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 18;

struct Contents {
  std::vector<std::unique_ptr<char[]>> chunks;
  size_t size = 0;

  // Calls body(bytes of a chunk, bytes before them) for all chunks that overlap a range.
  template <class Body>
  void for_each_chunk(size_t begin, size_t bytes, Body body) {
    for (size_t done = 0; done < bytes;) {
      const size_t in_chunk = (begin + done) % kChunkBytes;
      const size_t count = std::min(kChunkBytes - in_chunk, bytes - done);
      body(chunks[(begin + done) / kChunkBytes].get() + in_chunk, count, done);
      done += count;
    }
  }
};

struct MemoryFile : sqlite3_file {
  Contents* contents;
};

Contents& contents_of(sqlite3_file* file) { return *static_cast<MemoryFile*>(file)->contents; }

int close_file(sqlite3_file* file) {
  delete static_cast<MemoryFile*>(file)->contents;
  return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* to, int count, sqlite3_int64 offset) {
  Contents& from = contents_of(file);
  const auto begin = static_cast<size_t>(offset), bytes = static_cast<size_t>(count);
  const size_t there = begin < from.size ? std::min(bytes, from.size - begin) : 0;
  char* const target = static_cast<char*>(to);
  from.for_each_chunk(begin, there, [&](const char* data, size_t size, size_t done) {
    std::memcpy(target + done, data, size);
  });
  if (there == bytes) return SQLITE_OK;
  std::memset(target + there, 0, bytes - there);
  return SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* file, const void* from, int count, sqlite3_int64 offset) {
  Contents& to = contents_of(file);
  const auto begin = static_cast<size_t>(offset), bytes = static_cast<size_t>(count);
  try {
    while (to.chunks.size() * kChunkBytes < begin + bytes)
      to.chunks.push_back(std::make_unique<char[]>(kChunkBytes));
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  to.for_each_chunk(begin, bytes, [&](char* data, size_t size, size_t done) {
    std::memcpy(data, static_cast<const char*>(from) + done, size);
  });
  to.size = std::max(to.size, begin + bytes);
  return SQLITE_OK;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  Contents& contents = contents_of(file);
  contents.size = std::min(contents.size, static_cast<size_t>(size));
  contents.chunks.resize(
      std::min(contents.chunks.size(), (contents.size + kChunkBytes - 1) / kChunkBytes));
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(contents_of(file).size);
  return SQLITE_OK;
}

// The file is used by this process only, and does not outlive it.
const sqlite3_io_methods& file_methods() {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods m{};
    m.iVersion = 1;
    m.xClose = close_file;
    m.xRead = read_file;
    m.xWrite = write_file;
    m.xTruncate = truncate_file;
    m.xSync = [](sqlite3_file*, int) { return SQLITE_OK; };
    m.xFileSize = file_size;
    m.xLock = [](sqlite3_file*, int) { return SQLITE_OK; };
    m.xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; };
    m.xCheckReservedLock = [](sqlite3_file*, int* reserved) {
      *reserved = 0;
      return SQLITE_OK;
    };
    m.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
    m.xSectorSize = [](sqlite3_file*) { return 0; };
    m.xDeviceCharacteristics = [](sqlite3_file*) { return 0; };
    return m;
  }();
  return methods;
}

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_set) {
  file->pMethods = nullptr;
  if (name != nullptr) return SQLITE_CANTOPEN;
  auto* const contents = new (std::nothrow) Contents;
  if (contents == nullptr) return SQLITE_NOMEM;
  static_cast<MemoryFile*>(file)->contents = contents;
  file->pMethods = &file_methods();
  if (flags_set != nullptr) *flags_set = flags;
  return SQLITE_OK;
}

// SQLite knows a VFS by a name in a list of the process, which a host shares if it shares SQLite.
// The name is that of one copy of this library, and leaves the list with it.
class MemoryVfs {
 public:
  MemoryVfs() {
    const sqlite3_vfs* unix = sqlite3_vfs_find("unix");  // not a default that the host chose
    if (unix == nullptr) unix = sqlite3_vfs_find(nullptr);
    if (unix == nullptr) return;
    vfs_ = *unix;  // provides the clock and random numbers
    vfs_.pNext = nullptr;
    vfs_.zName = name_.c_str();
    vfs_.szOsFile = sizeof(MemoryFile);
    vfs_.xOpen = open_file;
    is_registered_ = sqlite3_vfs_register(&vfs_, 0) == SQLITE_OK;
  }
  ~MemoryVfs() {
    if (is_registered_) sqlite3_vfs_unregister(&vfs_);
  }
  MemoryVfs(const MemoryVfs&) = delete;
  MemoryVfs& operator=(const MemoryVfs&) = delete;

  const char* name() const { return is_registered_ ? vfs_.zName : nullptr; }

 private:
  const std::string name_ = fmt::format("tracebraid_memory_{}", fmt::ptr(this));
  sqlite3_vfs vfs_{};
  bool is_registered_ = false;
};

}  // namespace

const char* memory_vfs() {
  static const MemoryVfs kVfs;
  return kVfs.name();
}

}  // namespace tracebraid
