// NewFile: a file that appears whole, or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace tracebraid {

// Writes next to `path` and renames in finish(); until then `path` is as it was,
// so it may even be one of the inputs. Without finish() nothing is left behind.
// Devices and pipes are written directly. Errors name the file and the reason. finish()
// fails, too, if an input was damaged meanwhile (base/damaged_file.h).
class NewFile {
 public:
  static Result<NewFile> create(const std::string& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  int fd() const { return file_.fd(); }
  const std::string& path() const { return path_; }
  // Where the bytes lie until finish().
  const std::string& written_path() const { return temporary_.empty() ? path_ : temporary_; }

  Result<> write(std::string_view bytes);
  // Nothing is written any more. Of many files, these need not stay open until finish().
  Result<> close();
  Result<> finish();

 private:
  NewFile() = default;

  std::string path_;
  std::string temporary_;  // empty: written directly, or done
  Descriptor file_;
};

}  // namespace tracebraid
