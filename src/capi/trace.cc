#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/guard_mapped_files.h"
#include "base/read_text.h"
#include "capi/handles.h"
#include "engine/archive.h"
#include "engine/formats.h"
#include "engine/rows.h"

namespace tracebraid::capi {
namespace {

// Returns the folder with libtracebraid_arrow.so: that of this library, or its folder tracebraid/.
std::string plugin_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&tracebraid_version), &info) == 0) return {};
  const std::filesystem::path folder = std::filesystem::path(info.dli_fname).parent_path();
  std::error_code failed;
  for (const std::filesystem::path& at : {folder, folder / "tracebraid"})
    if (std::filesystem::exists(at / "libtracebraid_arrow.so", failed)) return at;
  return {};
}

Result<std::shared_ptr<const Engine>> make_engine(const tracebraid_options& options) {
  if (options.engine != nullptr) return options.engine;
  EngineOptions engine = options.open.engine;
  engine.plugin_folder = plugin_folder();
  if (is_guarding_mapped_files()) engine.files.mapping_guard = &mapping_guard();
  return Engine::create(engine);
}

// Fails for a text that is no manifest, which would be read as a trace.
Result<> check_manifest_text(const tracebraid_options& options) {
  if (options.manifest) TB_TRY(validate_manifest(*options.manifest));
  return {};
}

Result<std::vector<TraceInput>> inputs_of(const tracebraid_options& options) {
  if (options.no_trace && !options.inputs.empty())
    return fail(ErrorCode::Usage, "no-trace: add no input");
  if (options.inputs.empty() && !options.no_trace)
    return fail(ErrorCode::Usage, "no trace file given");
  std::vector<TraceInput> inputs = options.inputs;
  if (options.manifest) {
    if (!options.open.trace.manifest.empty())
      return fail(ErrorCode::Usage, "manifest: give a path or a text, not both");
    TB_TRY(check_manifest_text(options));
    auto text = std::make_shared<const std::string>(*options.manifest);
    const std::string_view view = *text;
    inputs.push_back(buffer_input("perfetto_manifest.json", view, [text] {}));
  }
  return inputs;
}

Result<std::shared_ptr<OpenTrace>> open_trace(const tracebraid_options& options,
                                              Progress& progress) {
  TB_TRY_ASSIGN(const std::vector<TraceInput> inputs, inputs_of(options));
  TB_TRY_ASSIGN(std::shared_ptr<const Engine> engine, make_engine(options));
  TB_TRY_ASSIGN(std::shared_ptr<const Trace> trace,
                Trace::open(std::move(engine), inputs, options.open.trace, progress));
  return std::make_shared<OpenTrace>(std::move(trace), options.names());
}

// Opens the inputs as a run of the control.
Result<std::shared_ptr<OpenTrace>> open_run(const tracebraid_options& options,
                                            tracebraid_control* control) {
  Run run(control);
  Result<std::shared_ptr<OpenTrace>> opened = open_trace(options, run.progress());
  if (!opened) return tl::unexpected(run.error(std::move(opened).error()));
  return opened;
}

// Returns the paths among the inputs, which are all of them.
Result<std::vector<std::string>> paths_of(const tracebraid_options& options) {
  std::vector<std::string> paths;
  for (const TraceInput& input : options.inputs) {
    if (!input.is_path())
      return fail(ErrorCode::Usage, fmt::format("{}: only files can be packed", input.name));
    paths.push_back(input.name);
  }
  if (paths.empty()) return fail(ErrorCode::Usage, "no trace file given");
  return paths;
}

// Returns the text of the manifest, which is given as it is or by its path.
Result<std::optional<std::string>> manifest_of(const tracebraid_options& options) {
  const std::string& path = options.open.trace.manifest;
  if (path.empty()) return options.manifest;
  if (options.manifest) return fail(ErrorCode::Usage, "manifest: give a path or a text, not both");
  TB_TRY_ASSIGN(std::string text, read_text(path));
  return std::optional(std::move(text));
}

Result<> write_archive(const tracebraid_options& options, const std::string& output,
                       tracebraid_control* control) {
  TB_TRY_ASSIGN(const std::vector<std::string> paths, paths_of(options));
  TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, make_engine(options));
  InputFiles inputs;
  for (const std::string& path : paths) inputs.add(path);
  TB_TRY(check_manifest_text(options));
  TB_TRY_ASSIGN(const std::optional<std::string> manifest, manifest_of(options));
  if (!options.open.trace.manifest.empty()) inputs.add(options.open.trace.manifest);
  TB_TRY(check_output_file(output, options.request.force, inputs));
  Run run(control);
  const Result<PackedFiles> packed = merge_archive(
      *engine, paths, manifest, options.open.trace.skip_unknown, output, run.progress());
  if (!packed) return tl::unexpected(run.error(packed.error()));
  return {};
}

}  // namespace

Result<std::shared_ptr<TraceConnection>> OpenTrace::take_connection(
    std::shared_ptr<OpenTrace> open) {
  std::unique_ptr<TraceConnection> connection;
  {
    const std::lock_guard lock(open->mutex_);
    if (!open->idle_.empty()) {
      connection = std::move(open->idle_.back());
      open->idle_.pop_back();
    }
  }
  if (connection == nullptr) {
    TB_TRY_ASSIGN(connection, TraceConnection::open(open->trace_));
  }
  return std::shared_ptr<TraceConnection>(connection.release(),
                                          [open = std::move(open)](TraceConnection* of) {
                                            open->give_back(std::unique_ptr<TraceConnection>(of));
                                          });
}

void OpenTrace::give_back(std::unique_ptr<TraceConnection> connection) noexcept {
  try {
    if (!connection->is_as_new()) return;
  } catch (const std::exception&) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(connection));  // has room
}

}  // namespace tracebraid::capi

using namespace tracebraid;
using namespace tracebraid::capi;

extern "C" {

const char* tracebraid_version(void) { return TRACEBRAID_VERSION; }
int tracebraid_abi_version(void) { return TRACEBRAID_ABI_VERSION; }

char* tracebraid_build_info(void) {
  try {
    JsonText json;
    json.open_object();
    json.add("version", version());
    json.add("abi_version", TRACEBRAID_ABI_VERSION);
    json.open_array("formats");
    for (const FormatInfo& format : format_infos())
      json.open_object()
          .add("name", format.name)
          .add("title", format.title)
          .add("about", format.about)
          .close_object();
    json.close_array();
    std::vector<std::string> exports;
    for (const std::string_view kind : export_kinds()) exports.emplace_back(kind);
    json.add("exports", std::span<const std::string>(exports));
    json.add("parquet", !plugin_folder().empty());
    json.add("memory_limit", "tables, staged events and unpacked inputs");
    json.close_object();
    return copy_text(std::move(json).finish());
  } catch (const std::exception&) {
    return nullptr;
  }
}

int tracebraid_engine_new(const tracebraid_options* options, tracebraid_engine** out,
                          tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    if (out == nullptr) return tl::unexpected(missing("out"));
    if (options != nullptr) TB_TRY(check(options, "options"));
    auto engine = std::make_unique<tracebraid_engine>();
    TB_TRY_ASSIGN(engine->engine,
                  make_engine(options == nullptr ? tracebraid_options() : *options));
    *out = engine.release();
    return {};
  });
}

tracebraid_engine* tracebraid_engine_retain(tracebraid_engine* engine) {
  if (is_owned(engine)) ++engine->references;
  return engine;
}

void tracebraid_engine_release(tracebraid_engine* engine) {
  if (is_owned(engine) && --engine->references == 0) delete engine;
}

int tracebraid_open(const tracebraid_options* options, tracebraid_control* control,
                    tracebraid_trace** out, tracebraid_error** err) {
  std::vector<std::string> names;
  Result<> done = at_boundary([&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (control != nullptr) TB_TRY(check(control, "control"));
    if (out == nullptr) return tl::unexpected(missing("out"));
    names = options->names();
    auto trace = std::make_unique<tracebraid_trace>();
    TB_TRY_ASSIGN(trace->open, open_run(*options, control));
    *out = trace.release();
    return {};
  });
  return done ? TRACEBRAID_OK : give(done.error(), err, names);
}

tracebraid_trace* tracebraid_trace_retain(tracebraid_trace* trace) {
  if (is_owned(trace)) ++trace->references;
  return trace;
}

void tracebraid_trace_release(tracebraid_trace* trace) {
  if (is_owned(trace) && --trace->references == 0) delete trace;
}

int tracebraid_guard_mapped_files(int on, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    guard_mapped_files(on != 0);
    return {};
  });
}

int tracebraid_memory_use(tracebraid_trace* trace, uint64_t* tables, uint64_t* streams,
                          uint64_t* mapped, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    const MemoryUse use = trace->open->trace()->memory_use();
    if (tables != nullptr) *tables = use.tables;
    if (streams != nullptr) *streams = use.statements + trace->open->held()->bytes();
    if (mapped != nullptr) *mapped = use.mapped;
    return {};
  });
}

int tracebraid_export(tracebraid_trace* trace, const tracebraid_options* options,
                      tracebraid_control* control, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    TB_TRY(check(options, "options"));
    if (control != nullptr) TB_TRY(check(control, "control"));
    if (options->kind.empty()) return fail(ErrorCode::Usage, "missing option 'to'");
    if (options->request.path.empty()) return fail(ErrorCode::Usage, "missing option 'output'");
    Run run(control);
    ExportRequest request = options->request;
    request.stop = run.stop();
    const Result<ExportReport> report =
        export_trace(trace->open->trace(), options->kind, request, run.progress());
    if (!report) return tl::unexpected(run.error(report.error()));
    return {};
  });
}

int tracebraid_merge_archive(const tracebraid_options* options, const char* output,
                             tracebraid_control* control, tracebraid_trace** check_trace,
                             tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (control != nullptr) TB_TRY(check(control, "control"));
    if (output == nullptr) return tl::unexpected(missing("output"));
    TB_TRY(write_archive(*options, output, control));
    if (check_trace == nullptr) return {};
    tracebraid_options archive = *options;
    archive.inputs = {{.name = output}};
    archive.manifest.reset();  // it is in the archive
    archive.open.trace.manifest.clear();
    archive.open.trace.reports_losses = true;
    auto trace = std::make_unique<tracebraid_trace>();
    TB_TRY_ASSIGN(trace->open, open_run(archive, control));
    *check_trace = trace.release();
    return {};
  });
}

int tracebraid_manifest_template(const tracebraid_options* options, char** out,
                                 tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (out == nullptr) return tl::unexpected(missing("out"));
    Progress progress;
    TB_TRY_ASSIGN(const std::shared_ptr<OpenTrace> open, open_trace(*options, progress));
    TB_TRY_ASSIGN(const std::string text, manifest_template(*open->trace()));
    return give_text(text, out);
  });
}

int tracebraid_manifest_validate(const tracebraid_options* options, char** out,
                                 tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (out == nullptr) return tl::unexpected(missing("json"));
    TB_TRY_ASSIGN(const std::optional<std::string> manifest, manifest_of(*options));
    if (!manifest) return fail(ErrorCode::Usage, "no manifest is set");
    TB_TRY_ASSIGN(const ManifestSummary summary, validate_manifest(*manifest));
    JsonText json(JsonText::kCompact);
    json.open_object();
    json.add("files", static_cast<int64_t>(summary.files));
    json.add("warnings", std::span<const std::string>(summary.warnings));
    json.close_object();
    return give_text(std::move(json).finish(), out);
  });
}

}  // extern "C"
