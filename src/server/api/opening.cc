#include "server/api/opening.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/descriptor.h"
#include "base/read_text.h"
#include "engine/archive.h"
#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

// The manifest of a request as a file, because the engine reads manifests from files.
class ManifestFile {
 public:
  ManifestFile(const Api& api, uint64_t id, const std::string& text) {
    if (text.empty()) return;
    path_ = fmt::format("{}/manifest-{}.json", api.spool->folder(), id);
    const Descriptor file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (file) [[maybe_unused]]
      const ssize_t written = ::write(file.fd(), text.data(), text.size());
  }
  ~ManifestFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  ManifestFile(const ManifestFile&) = delete;
  ManifestFile& operator=(const ManifestFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<std::shared_ptr<const Trace>> open_now(const Api& api, OpenTrace& trace,
                                              const OpenRequest& request) {
  TraceOptions options = request.options;
  options.for_queries = true;
  const ManifestFile manifest(api, trace.id, request.manifest);
  if (!manifest.path().empty()) options.manifest = manifest.path();
  options.warn = [&trace](std::string_view message) { trace.add_warning(message); };
  Progress& progress = trace.job->progress;
  TB_TRY_ASSIGN(const std::vector<TraceInput> inputs, trace_inputs(request));
  return Trace::open(api.host.engine, std::span<const TraceInput>(inputs), options, progress);
}

constexpr size_t kManifestHead = 128;  // bytes that tell a manifest from a trace
constexpr size_t kMostManifest = size_t{1} << 20;

// Returns whether the file begins as a manifest does.
bool begins_as_manifest(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char head[kManifestHead];
  struct stat status{};
  if (!file || ::fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size > static_cast<off_t>(kMostManifest))
    return false;
  const ssize_t size = ::read(file.fd(), head, sizeof head);
  std::string text(head, size > 0 ? static_cast<size_t>(size) : 0);
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return text.starts_with(R"({"perfetto_manifest")");
}

// Tells manifests from traces. Reads the head of each file once.
class FileHeads {
 public:
  bool is_manifest(const std::string& path) {
    const auto [at, added] = known_.try_emplace(path, false);
    if (added) at->second = begins_as_manifest(path);
    return at->second;
  }

 private:
  std::map<std::string, bool> known_;
};

// Returns the manifest of the request or of the options, else the first input that is one. One that
// cannot be read is none, because the trace is open already.
AppliedManifest find_manifest(const OpenRequest& request, FileHeads& heads) {
  if (!request.manifest.empty()) return {request.manifest, std::nullopt};
  if (!request.options.manifest.empty())
    return {read_text(request.options.manifest).value_or(""), std::nullopt};
  size_t paths = 0, uploads = 0;
  for (size_t input = 0; input < request.inputs.size(); ++input) {
    const bool is_upload = !request.inputs[input].upload.empty();
    if ((is_upload ? uploads : paths) >=
        (is_upload ? request.uploads.size() : request.paths.size()))
      continue;  // a buffer
    const std::string& path = is_upload ? request.uploads[uploads++]->path : request.paths[paths++];
    if (heads.is_manifest(path)) return {read_text(path).value_or(""), input};
  }
  return {};
}

// Returns the identity of the inputs, without a manifest among them, which may be corrected later.
std::optional<TraceIdentity> find_identity(const OpenRequest& request, FileHeads& heads) {
  if (!request.buffers.empty()) return std::nullopt;
  std::vector<NamedFile> uploads;
  for (const std::shared_ptr<Upload>& upload : request.uploads)
    uploads.push_back({upload->name, upload->path});
  return identity_of(request.paths, uploads,
                     [&](const std::string& path) { return heads.is_manifest(path); });
}

}  // namespace

Result<std::shared_ptr<OpenTrace>> list_trace(Api& api, const OpenRequest& request) {
  if (api.traces.size() >= api.options.max_traces)
    return fail(ErrorCode::Limit, fmt::format("{} traces are open already; close one, or raise "
                                              "--max-traces",
                                              api.options.max_traces));
  const uint64_t id = api.new_id();
  const auto job = std::make_shared<Job>(api.new_id(), "import", id);
  auto trace = std::make_shared<OpenTrace>(id, title_of(request), job);
  trace->inputs = request.inputs;
  trace->bytes = request.bytes;
  trace->missing = request.missing;
  trace->command = command_of(request);
  api.jobs.add(job->id, job);
  api.traces.add(id, trace);
  return trace;
}

Result<> open_listed(Api& api, OpenTrace& trace, const OpenRequest& request) {
  trace.job->start();
  Result<std::shared_ptr<const Trace>> opened = open_now(api, trace, request);
  FileHeads heads;
  if (opened) {
    AppliedManifest manifest = find_manifest(request, heads);
    if (manifest.text.empty()) manifest.text = manifest_within(**opened);
    trace.set_manifest(std::move(manifest));
  }
  if (opened) trace.set_identity(find_identity(request, heads));
  if (opened) trace.set(*opened);
  if (!opened && api.host.warn && opened.error().code != ErrorCode::Cancelled)
    api.host.warn(opened.error().message);
  const Result<> ended = opened ? Result<>() : tl::unexpected(opened.error());
  trace.job->end(ended);
  // The first page that shows the timeline need not wait for all of it.
  if (opened && !api.options.is_rpc_only)
    if (const auto timeline = trace.timeline(api.options.timeline_memory); !timeline)
      trace.add_warning(timeline.error().message);
  return ended;
}

Result<std::shared_ptr<OpenTrace>> begin_opening(Api& api, OpenRequest request) {
  TB_TRY_ASSIGN(const std::shared_ptr<OpenTrace> trace, list_trace(api, request));
  api.pool.submit(TaskClass::Files, [&api, trace, request = std::move(request)] {
    static_cast<void>(open_listed(api, *trace, request));  // the job has the error
  });
  return trace;
}

http::Response open_and_answer(Api& api, OpenRequest request) {
  const Result<std::shared_ptr<OpenTrace>> trace = begin_opening(api, std::move(request));
  if (!trace) return problem(trace.error());
  JsonText json(JsonText::kCompact);
  json.open_object().add("job", std::to_string((*trace)->job->id));
  json.add("trace", std::to_string((*trace)->id)).close_object();
  return json_response(std::move(json).finish(), 202);
}

Result<> open_files(Api& api) {
  if (api.options.files.empty()) return {};
  OpenRequest request;
  request.options = api.options.trace;
  for (const std::string& file : api.options.files) {
    struct stat status{};
    if (file != "-" && ::stat(file.c_str(), &status) != 0) {
      request.missing.push_back({file, fmt::format("{}: {}", file, std::strerror(errno))});
      continue;
    }
    request.inputs.push_back({.name = file, .path = file, .root = {}, .upload = {}});
    if (file != "-") request.bytes += static_cast<uint64_t>(status.st_size);
    request.paths.push_back(file);
  }
  for (const MissingInput& missing : request.missing)
    if (api.host.warn) api.host.warn(missing.message);
  if (request.paths.empty()) return fail(ErrorCode::NotFound, request.missing[0].message);
  TB_TRY(begin_opening(api, std::move(request)));
  return {};
}

}  // namespace tracebraid::api
