// NewFile: a file that appears whole, or not at all.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace tracebraid {

// Writes next to `path`, under a name of its own, and renames in finish(). Until then `path` is
// unchanged, so it may be one of the inputs. Without finish() nothing is left behind. Two at once
// with one path each write a whole file; the later finish() wins. Devices and pipes are written
// directly, without SIGPIPE. Errors (Io) name the file and the reason. finish() fails, too, if an
// input was damaged meanwhile (base/damaged_file.h). One thread at a time.
class NewFile {
 public:
  static Result<NewFile> create(const std::string& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  int fd() const { return file_.fd(); }
  const std::string& path() const { return path_; }
  // Where the bytes lie until finish().
  const std::string& written_path() const { return temporary_ ? temporary_->path : path_; }

  Result<> write(std::string_view bytes);
  // Nothing is written any more. Of many files, these need not stay open until finish().
  Result<> close();
  Result<> finish();

 private:
  // What is to be removed when the program ends. Those there are form a list.
  struct Temporary {
    explicit Temporary(std::string of) : path(std::move(of)) {}
    const std::string path;
    Temporary *before = nullptr, *next = nullptr;
  };
  friend bool has_unfinished_files();
  friend void remove_unfinished_files();
  static std::mutex mutex;
  static Temporary* first;  // guarded by `mutex`
  static void note(Temporary& temporary);
  static void forget(const Temporary& temporary);
  void done();

  NewFile() = default;
  Result<> open_temporary();

  std::string path_;
  std::unique_ptr<Temporary> temporary_;  // none: written directly, or done
  Descriptor file_;
};

bool has_unfinished_files();
// Before a program ends without the destructors. Allocates nothing.
void remove_unfinished_files();

}  // namespace tracebraid
