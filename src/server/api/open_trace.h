// OpenTrace: a trace of the server from the request that opens it to the one that closes it, with
// the connections that answer its queries.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "engine/connection.h"
#include "engine/identity.h"
#include "engine/timeline.h"
#include "engine/trace.h"
#include "server/api/job.h"

namespace tracebraid::api {

struct TraceInputName {
  std::string name;    // for display
  std::string path;    // of a file of the server, as it was named; empty for an upload
  std::string root;    // in which the path is; empty for a file of the command line
  std::string upload;  // id of an upload
};
struct MissingInput {
  std::string file, message;
};

// A connection with its own temporary tables. Its statements run in turn.
struct Workspace {
  std::unique_ptr<TraceConnection> connection;     // made by the first statement
  std::deque<std::function<void()>> waiting = {};  // guarded by the mutex of the trace
  bool is_busy = false;  // a statement runs; guarded by the mutex of the trace
};

// The manifest by which a trace was placed.
struct AppliedManifest {
  std::string text;             // empty: none, or one within an archive among others
  std::optional<size_t> input;  // the input that it is; none if it was given beside the inputs
};

struct TraceBounds {
  int64_t start_ts, end_ts;
};

struct OpenTrace {
  static constexpr size_t kMostWorkspaces = 16;

  OpenTrace(uint64_t id, std::string name, std::shared_ptr<Job> job)
      : id(id), name(std::move(name)), job(std::move(job)) {}

  const uint64_t id;
  const std::string name;
  const std::shared_ptr<Job> job;  // that opens it
  std::vector<TraceInputName> inputs;
  uint64_t bytes = 0;   // size of the inputs, as far as it is known
  std::string command;  // the command that prints the same report
  std::vector<MissingInput> missing;

  // The trace, or the Error of its job, or Usage while it is being opened.
  Result<std::shared_ptr<const Trace>> find() const;
  // Sets the trace, after reading its bounds with a connection that the first query will use. A
  // failure of that is a warning.
  void set(std::shared_ptr<const Trace> opened);
  void add_warning(std::string_view message);
  void set_manifest(AppliedManifest manifest);
  AppliedManifest manifest() const;
  void set_identity(std::optional<TraceIdentity> identity);
  // Nothing until the trace is open, and if its bytes did not come from files.
  std::optional<TraceIdentity> identity() const;
  std::string json() const;

  // Returns the timeline, which the first call makes while others wait. Errors: of find(), and of
  // TraceTimeline::open().
  Result<std::shared_ptr<const TraceTimeline>> timeline(uint64_t memory);
  Stop closing;  // requested when the trace is closed

  // Takes an idle connection of the trace, or makes one. give_back() keeps up to a few for the next
  // queries. The caller destroys a connection that a statement changed instead.
  Result<std::unique_ptr<TraceConnection>> take_connection();
  void give_back(std::unique_ptr<TraceConnection> connection);

  // Returns null if there are too many.
  std::shared_ptr<Workspace> make_workspace(uint64_t workspace);
  std::shared_ptr<Workspace> find_workspace(uint64_t workspace) const;
  bool remove_workspace(uint64_t workspace);
  // Runs `start` when the workspace is idle: at once, or by the end_turn() of another statement.
  void begin_turn(Workspace& workspace, std::function<void()> start);
  void end_turn(Workspace& workspace);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Trace> trace_;
  std::vector<std::string> warnings_;
  std::optional<TraceBounds> bounds_;
  AppliedManifest manifest_;
  std::optional<TraceIdentity> identity_;
  std::vector<std::unique_ptr<TraceConnection>> idle_;
  std::map<uint64_t, std::shared_ptr<Workspace>> workspaces_;
  std::mutex timeline_mutex_;  // guards the next member; not held with mutex_
  std::optional<Result<std::shared_ptr<const TraceTimeline>>> timeline_;
  // The timeline may outlive the trace.
  const std::shared_ptr<std::atomic<bool>> is_index_damaged_ =
      std::make_shared<std::atomic<bool>>(false);
};

}  // namespace tracebraid::api
