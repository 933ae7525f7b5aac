#include "server/api/open_trace.h"

#include <utility>

#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/work/task_pool.h"

namespace tracebraid::api {
namespace {

constexpr size_t kMostIdle = 4;  // connections

Result<TraceBounds> read_bounds(TraceConnection& connection) {
  TB_TRY_ASSIGN(const std::unique_ptr<TraceQuery> query,
                connection.query("SELECT start_ts, end_ts FROM trace_bounds"));
  TB_TRY_ASSIGN(const std::optional<RecordBatch> row, query->next());
  if (!row || row->rows != 1) return TraceBounds{0, 0};
  return TraceBounds{cell_at(row->columns[0], 0).integer, cell_at(row->columns[1], 0).integer};
}

}  // namespace

Result<std::shared_ptr<const Trace>> OpenTrace::find() const {
  const std::scoped_lock lock(mutex_);
  if (trace_ != nullptr) return trace_;
  return fail(ErrorCode::NotFound, has_ended(job->state())
                                       ? "the trace could not be opened; see its job"
                                       : "the trace is still being opened; watch its job");
}

void OpenTrace::set(std::shared_ptr<const Trace> opened) {
  Result<std::unique_ptr<TraceConnection>> connection = TraceConnection::open(opened);
  const Result<TraceBounds> bounds =
      connection ? read_bounds(**connection) : tl::unexpected(connection.error());
  if (!bounds) add_warning(bounds.error().message);
  const std::scoped_lock lock(mutex_);
  trace_ = std::move(opened);
  if (connection) idle_.push_back(*std::move(connection));
  if (bounds) bounds_ = *bounds;
}

Result<std::shared_ptr<const TraceTimeline>> OpenTrace::timeline(uint64_t memory) {
  TB_TRY_ASSIGN(std::shared_ptr<const Trace> trace, find());
  std::unique_lock lock(timeline_mutex_, std::try_to_lock);
  if (!lock) {
    const TaskPool::Blocked blocked;
    lock.lock();
  }
  if (!timeline_)
    timeline_ = timeline_ = TraceTimeline::open(std::move(trace), memory, closing,
                                                [damaged = is_index_damaged_] { *damaged = true; });
  return *timeline_;
}

void OpenTrace::set_manifest(AppliedManifest manifest) {
  const std::scoped_lock lock(mutex_);
  manifest_ = std::move(manifest);
}

AppliedManifest OpenTrace::manifest() const {
  const std::scoped_lock lock(mutex_);
  return manifest_;
}

void OpenTrace::set_identity(std::optional<TraceIdentity> identity) {
  const std::scoped_lock lock(mutex_);
  identity_ = std::move(identity);
}

std::optional<TraceIdentity> OpenTrace::identity() const {
  const std::scoped_lock lock(mutex_);
  return identity_;
}

void OpenTrace::add_warning(std::string_view message) {
  const std::scoped_lock lock(mutex_);
  warnings_.emplace_back(message);
}

std::string OpenTrace::json() const {
  const std::scoped_lock lock(mutex_);
  const RunState state = job->state();
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("id", std::to_string(id)).add("name", name);
  json.add("state", trace_ != nullptr ? "open" : !has_ended(state) ? "opening" : state_name(state));
  json.add("job", std::to_string(job->id));
  json.open_array("inputs");
  for (const TraceInputName& input : inputs) {
    json.open_object().add("name", input.name);
    if (!input.path.empty()) json.add("path", input.path);
    if (!input.root.empty()) json.add("root", input.root);
    if (!input.upload.empty()) json.add("upload", input.upload);
    json.close_object();
  }
  json.close_array().open_array("missing");
  for (const MissingInput& each : missing)
    json.open_object().add("file", each.file).add("message", each.message).close_object();
  json.close_array().open_array("warnings");
  for (const std::string& warning : warnings_) json.add({}, warning);
  if (*is_index_damaged_)
    json.add({}, "the index of the timeline in the braid is damaged, so it is made anew");
  json.close_array();
  if (trace_ != nullptr) json.add("problems", trace_->problems().size());
  if (bounds_)
    json.add("start_ts", std::to_string(bounds_->start_ts))
        .add("end_ts", std::to_string(bounds_->end_ts));
  if (const std::optional<Error> error = job->error()) json.add_raw("error", problem_json(*error));
  json.close_object();
  return std::move(json).finish();
}

Result<std::unique_ptr<TraceConnection>> OpenTrace::take_connection() {
  TB_TRY_ASSIGN(std::shared_ptr<const Trace> trace, find());
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<TraceConnection> taken = std::move(idle_.back());
      idle_.pop_back();
      return taken;
    }
  }
  return TraceConnection::open(std::move(trace));
}

void OpenTrace::give_back(std::unique_ptr<TraceConnection> connection) {
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(connection));
}

std::shared_ptr<Workspace> OpenTrace::make_workspace(uint64_t workspace) {
  const std::scoped_lock lock(mutex_);
  if (workspaces_.size() >= kMostWorkspaces) return nullptr;
  return workspaces_[workspace] = std::make_shared<Workspace>();
}

std::shared_ptr<Workspace> OpenTrace::find_workspace(uint64_t workspace) const {
  const std::scoped_lock lock(mutex_);
  const auto found = workspaces_.find(workspace);
  return found == workspaces_.end() ? nullptr : found->second;
}

bool OpenTrace::remove_workspace(uint64_t workspace) {
  const std::scoped_lock lock(mutex_);
  return workspaces_.erase(workspace) > 0;
}

void OpenTrace::begin_turn(Workspace& workspace, std::function<void()> start) {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(workspace.is_busy, true)) {
      workspace.waiting.push_back(std::move(start));
      return;
    }
  }
  start();
}

void OpenTrace::end_turn(Workspace& workspace) {
  std::function<void()> next;
  {
    const std::scoped_lock lock(mutex_);
    if (workspace.waiting.empty()) {
      workspace.is_busy = false;
      return;
    }
    next = std::move(workspace.waiting.front());
    workspace.waiting.pop_front();
  }
  next();
}

}  // namespace tracebraid::api
