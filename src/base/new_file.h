// NewFile: a file that appears whole, or not at all.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/host_files.h"
#include "base/result.h"

namespace tracebraid {

// The temporary names of unfinished outputs, for a host that may end without running destructors.
// Owned by the host (HostFiles::unfinished_files). Safe to use from any thread.
class UnfinishedFiles {
 public:
  bool empty() const;
  // Deletes the files. Allocates nothing.
  void remove_all() const;

 private:
  friend class NewFile;
  struct Entry {
    std::string path;
    Entry *before = nullptr, *next = nullptr;
  };
  void add(Entry& entry);
  void forget(const Entry& entry);

  mutable std::mutex mutex_;
  Entry* first_ = nullptr;
};

// Writes next to `path`, under a name of its own, and renames in finish(). Until then `path` is
// unchanged. Without finish() nothing is left behind. If two
// objects write one path, each writes a whole file, and the later finish() wins. Devices and pipes
// are written directly, without SIGPIPE. Errors name the file and the reason: Io, or Usage if
// `path` is one of `files.inputs`. One thread at a time.
class NewFile {
 public:
  static Result<NewFile> create(const std::string& path, const HostFiles& files);
  NewFile(NewFile&& other) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  int fd() const { return file_.fd(); }
  const std::string& path() const { return path_; }
  // Returns the path of the bytes before finish().
  const std::string& written_path() const { return entry_ ? entry_->path : path_; }

  Result<> write(std::string_view bytes);
  // Closes the descriptor, so that not all of many files stay open until finish().
  Result<> close();
  // Renames the file to its path. Fails, too, if `files.damage` has found damage to an input.
  Result<> finish();

 private:
  NewFile() = default;
  Result<> open_temporary();
  void forget_entry();

  std::string path_;
  std::unique_ptr<UnfinishedFiles::Entry> entry_;  // null: written directly, or finished
  UnfinishedFiles* unfinished_ = nullptr;
  std::shared_ptr<const FileDamage> damage_;
  Descriptor file_;
};

}  // namespace tracebraid
