#include "engine/as_reference.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/boundary.h"
#include "braid/braid.h"

namespace tracebraid {
namespace {

Result<> check_kind(const TraceInput& input) {
  std::error_code ignored;
  if (input.is_path() && std::filesystem::is_directory(input.name, ignored))
    return fail(ErrorCode::Usage,
                fmt::format("{}: other readers open no folders; pack its files with 'tracebraid "
                            "merge' and check the archive",
                            input.name));
  if (input.bytes ? is_braid(input.bytes->view)
                  : input.is_path() && input.name != "-" && is_braid_file(input.name))
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: no other program reads a braid; export it with 'tracebraid export "
                            "--to perfetto' and check that file",
                            input.name));
  return {};
}

}  // namespace

Result<reference::Report> check_as_reference(const Engine& engine, const TraceInput& input,
                                             const TraceOptions& options, Progress& progress) {
  return at_boundary([&]() -> Result<reference::Report> {
    TB_TRY(check_kind(input));
    MergeOptions merge;
    merge.limits = options.limits;
    merge.files = engine.new_files();
    merge.memory_limit = engine.memory_limit();
    progress.begin("reading", 0);
    return reference::check(input, merge, progress);
  });
}

}  // namespace tracebraid
