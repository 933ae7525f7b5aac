// In place of arrow_file.cc, where the build has no Arrow.
#include "export/arrow/arrow_file.h"

namespace tracebraid {

Result<> ArrowFile::available() {
  return fail(ErrorCode::Unsupported,
              "this build cannot write Parquet and Arrow: install the Python package pyarrow and "
              "configure the build again");
}

Result<std::unique_ptr<ArrowFile>> ArrowFile::create(ArrowKind, int, const std::string&,
                                                     std::vector<ArrowColumn>) {
  return tl::unexpected(available().error());
}

}  // namespace tracebraid
