#include "cli/text_file.h"

#include <unistd.h>

#include "base/new_file.h"
#include "base/read_text.h"
#include "cli/host.h"
#include "engine/rows.h"

namespace tracebraid {

Result<std::string> read_text_file(const std::string& path) {
  return path == "-" ? read_text(STDIN_FILENO, path) : read_text(path);
}

Result<> write_text_file(const std::string& path, std::string_view text) {
  TB_TRY_ASSIGN(NewFile file, NewFile::create(path, program_files()));
  TB_TRY(file.write(text));
  return file.finish();
}

Result<> print(std::string_view text) {
  Output out(STDOUT_FILENO, "standard output");
  out.buffer().append(text);
  out.flush();
  return out.result();
}

}  // namespace tracebraid
