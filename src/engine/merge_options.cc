#include "engine/merge_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/read_text.h"
#include "braid/braid.h"
#include "container/source.h"

namespace tracebraid {

Result<MergeOptions> merge_options(const Engine& engine, const TraceOptions& options) {
  if (options.max_json_depth > kMostJsonDepth)
    return fail(
        ErrorCode::Usage,
        fmt::format("--max-json-depth: at most {}, because deeper nesting does not fit the stack",
                    kMostJsonDepth));
  MergeOptions merge;
  merge.strict = options.strict;
  merge.strict_all = options.strict_all;
  merge.reports_losses = options.reports_losses;
  merge.lenient_ends = options.lenient_ends;
  merge.drop_negative = options.drop_negative;
  merge.skip_unknown = options.skip_unknown;
  merge.sync = {options.clock_fit == "linear", options.clock_sync_same_domain,
                options.clock_sync_strict};
  if (!options.clock_model.empty())
    merge.clock_model = options.clock_model == "linear" ? ClockModel::Linear : ClockModel::Step;
  if (!options.join_flows.empty())
    merge.join_flows = options.join_flows == "auto"  ? JoinFlows::Auto
                       : options.join_flows == "all" ? JoinFlows::All
                                                     : JoinFlows::None;
  if (!options.align.empty()) {
    merge.align = parse_align(options.align);
    if (!merge.align)
      return fail(ErrorCode::Usage,
                  fmt::format("--align: '{}' is none of auto, off, verify, and no list of {}",
                              options.align, fmt::join(kAlignKinds, ", ")));
  }
  merge.limits = options.limits;
  merge.files = engine.new_files();
  merge.memory_limit = engine.memory_limit();
  merge.read.max_json_depth = options.max_json_depth;
  merge.read.ftrace_raw = !options.no_ftrace_raw;
  merge.manifest_path = options.manifest;
  merge.today = engine.today();
  for (const std::string& path : options.proto_descriptors) {
    TB_TRY_ASSIGN(std::string set, read_text(path));
    merge.read.proto_descriptors.push_back(std::move(set));
  }
  for (const std::string& set : options.descriptor_sets)
    merge.read.proto_descriptors.push_back(set);
  return merge;
}

void note_inputs(std::span<const TraceInput> inputs, const TraceOptions& options,
                 const HostFiles& files) {
  for (const TraceInput& input : inputs) {
    if (!input.is_path()) continue;
    if (input.name == "-" && files.dash_is_standard_input)
      files.inputs->add(STDIN_FILENO, "standard input");
    else
      files.inputs->add(input.name);
  }
  if (!options.manifest.empty()) files.inputs->add(options.manifest);
  for (const std::string& path : options.proto_descriptors) files.inputs->add(path);
}

Result<std::vector<TraceInput>> gather_streams(std::span<const TraceInput> inputs,
                                               const MergeOptions& merge, Progress& progress) {
  std::vector<TraceInput> gathered(inputs.begin(), inputs.end());
  const ContainerOptions options{merge.limits, merge.files, merge.memory_limit};
  for (TraceInput& input : gathered)
    if (input.stream) {
      TB_TRY_ASSIGN(input, gather_stream(input, options, progress));
    }
  return gathered;
}

bool is_braid_input(const TraceInput& input) {
  return input.bytes ? is_braid(input.bytes->view) : is_braid_file(input.name);
}

}  // namespace tracebraid
