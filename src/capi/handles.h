// Handles: the objects behind the pointers of tracebraid.h, and the boundary that turns Results
// into codes. Included by all sources of capi/.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/boundary.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/stop.h"
#include "capi/held_buffers.h"
#include "capi/tracebraid.h"
#include "engine/clocks.h"
#include "engine/connection.h"
#include "engine/engine.h"
#include "engine/export.h"
#include "engine/options.h"
#include "engine/trace.h"

namespace tracebraid::capi {

// The process that made a handle: a child of fork() has none of its threads and locks.
//
// Debug builds list the owners that exist, so that a handle which the caller has freed is an Error
// instead of undefined behaviour. A new handle at the same address hides this.
struct Owner {
  pid_t process = getpid();
  bool is_here() const { return process == getpid(); }

#ifdef NDEBUG
  static bool exists(const Owner*) { return true; }
#else
  Owner();
  Owner(const Owner&) : Owner() {}
  Owner& operator=(const Owner&) = default;
  ~Owner();
  static bool exists(const Owner* owner);
#endif
};

// A trace and its idle connections, shared by its handle, streams and clocks.
class OpenTrace {
 public:
  OpenTrace(std::shared_ptr<const Trace> trace, std::vector<std::string> inputs)
      : trace_(std::move(trace)), inputs_(std::move(inputs)) {
    idle_.reserve(kMostIdle);
  }
  const std::shared_ptr<const Trace>& trace() const { return trace_; }
  std::span<const std::string> inputs() const { return inputs_; }  // names, for errors
  const std::shared_ptr<HeldBuffers>& held() const { return held_; }

  // Returns an idle connection or a new one, which becomes idle with its last owner, unless a
  // statement left something in it. Any thread.
  static Result<std::shared_ptr<TraceConnection>> take_connection(std::shared_ptr<OpenTrace> open);

 private:
  void give_back(std::unique_ptr<TraceConnection> connection) noexcept;

  static constexpr size_t kMostIdle = 16;
  const std::shared_ptr<const Trace> trace_;
  const std::vector<std::string> inputs_;
  const std::shared_ptr<HeldBuffers> held_ = std::make_shared<HeldBuffers>();
  std::mutex mutex_;  // guards idle_
  std::vector<std::unique_ptr<TraceConnection>> idle_;
};

// The texts and the place of an Error. `inputs`: names of files that its message may begin with.
std::unique_ptr<tracebraid_error> make_error(const Error& error,
                                             std::span<const std::string> inputs);

// Stores the failure of a function in *err, if there is room, and returns its code.
int give(const Error& error, tracebraid_error** err,
         std::span<const std::string> inputs = {}) noexcept;

// Runs `work`, which returns a Result<>, and returns its code.
template <class Work>
int guarded(tracebraid_error** err, std::span<const std::string> inputs, Work&& work) noexcept {
  const Result<> done = at_boundary(std::forward<Work>(work));
  return done ? TRACEBRAID_OK : give(done.error(), err, inputs);
}
template <class Work>
int guarded(tracebraid_error** err, Work&& work) noexcept {
  return guarded(err, {}, std::forward<Work>(work));
}

Error opened_before_fork();
Error missing(std::string_view parameter);  // NULL where a value is needed
Error freed(std::string_view parameter);

// Returns whether the caller may read the handle: not null, and in debug builds not freed.
template <class Handle>
bool exists(const Handle* handle) {
  return handle != nullptr && Owner::exists(&handle->owner);
}

// Returns whether a function may free or count the handle: it exists, and is of this process.
template <class Handle>
bool is_owned(const Handle* handle) {
  return exists(handle) && handle->owner.is_here();
}

// Returns Usage if the handle is null, of another process, or in debug builds freed.
template <class Handle>
Result<> check(const Handle* handle, std::string_view name) {
  if (handle == nullptr) return tl::unexpected(missing(name));
  if (!exists(handle)) return tl::unexpected(freed(name));
  if (!handle->owner.is_here()) return tl::unexpected(opened_before_fork());
  return {};
}

// Returns a copy that the caller frees with tracebraid_string_free(); null without memory.
char* copy_text(std::string_view text) noexcept;
Result<> give_text(std::string_view text, char** out);  // NoMemory

// A run that a control may watch. While it exists, a thread reports progress() and ends the run
// when the control asks for it or the deadline passes. Without a control it does nothing.
class Run {
 public:
  explicit Run(tracebraid_control* control);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Progress& progress() { return progress_; }
  // Ends statements of the run when the progress is cancelled.
  std::shared_ptr<const Stop> stop() const { return stop_; }
  // Returns the Error of the run: Timeout instead of Cancelled if the deadline ended it.
  Error error(Error error) const;

 private:
  struct Watch;
  Progress progress_;
  const std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
  std::unique_ptr<Watch> watch_;
};

}  // namespace tracebraid::capi

struct tracebraid_error {
  tracebraid::capi::Owner owner;
  int code = TRACEBRAID_INTERNAL;
  std::string message, json;
  std::optional<std::string> file;
  int64_t offset = -1;
  int line = 0, column = 0;
};

struct tracebraid_engine {
  tracebraid::capi::Owner owner;
  std::atomic<size_t> references{1};
  std::shared_ptr<const tracebraid::Engine> engine;
};

struct tracebraid_options {
  tracebraid::capi::Owner owner;
  tracebraid::OpenOptions open;
  std::vector<tracebraid::TraceInput> inputs;
  std::optional<std::string> manifest;  // JSON text
  std::shared_ptr<const tracebraid::Engine> engine;
  tracebraid::ExportRequest request;
  std::string kind;  // of the export
  bool no_trace = false;

  std::vector<std::string> names() const;  // of the inputs
};

struct tracebraid_control {
  tracebraid::capi::Owner owner;
  std::shared_ptr<tracebraid::Stop> stop = std::make_shared<tracebraid::Stop>();
  std::mutex mutex;  // guards the members below; held while `on_progress` runs
  int (*on_progress)(void*, const char*, const char*, uint64_t, uint64_t) = nullptr;
  void* context = nullptr;
  std::chrono::milliseconds interval{100}, deadline{0};
};

struct tracebraid_trace {
  tracebraid::capi::Owner owner;
  std::atomic<size_t> references{1};
  std::shared_ptr<tracebraid::capi::OpenTrace> open;
};

struct tracebraid_connection {
  tracebraid::capi::Owner owner;
  std::shared_ptr<tracebraid::capi::OpenTrace> open;
  std::shared_ptr<tracebraid::TraceConnection> connection;
};

struct tracebraid_clock {
  tracebraid::capi::Owner owner;
  std::shared_ptr<tracebraid::capi::OpenTrace> open;
  tracebraid::FoundClock clock;
};

struct tracebraid_query_options {
  tracebraid::capi::Owner owner;
  tracebraid::QueryOptions options;
  bool wants_last_result = false;  // of several, instead of an error
};
