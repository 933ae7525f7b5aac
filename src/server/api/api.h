// Api: what the resources of the server share.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "server/api/documents.h"
#include "server/api/job.h"
#include "server/api/open_draft.h"
#include "server/api/open_trace.h"
#include "server/api/query_run.h"
#include "server/api/search_run.h"
#include "server/api/stored_result.h"
#include "server/api/upload.h"
#include "server/http/message.h"
#include "server/http/target.h"
#include "server/serve_options.h"
#include "server/work/spool.h"
#include "server/work/task_pool.h"

namespace tracebraid::api {

// Objects of the API by their ids. Any thread may use it.
template <class T>
class Registry {
 public:
  void add(uint64_t id, std::shared_ptr<T> object) {
    const std::scoped_lock lock(mutex_);
    objects_[id] = std::move(object);
  }
  std::shared_ptr<T> find(uint64_t id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = objects_.find(id);
    return found == objects_.end() ? nullptr : found->second;
  }
  // Returns the object that was removed, or null.
  std::shared_ptr<T> remove(uint64_t id) {
    const std::scoped_lock lock(mutex_);
    const auto found = objects_.find(id);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  std::vector<std::shared_ptr<T>> all() const {  // by id
    const std::scoped_lock lock(mutex_);
    std::vector<std::shared_ptr<T>> objects;
    for (const auto& [id, object] : objects_) objects.push_back(object);
    return objects;
  }
  size_t size() const {
    const std::scoped_lock lock(mutex_);
    return objects_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::map<uint64_t, std::shared_ptr<T>> objects_;
};

struct Root {
  std::string name, path;
};

struct Api {
  Api(const ServeOptions& with, const ServeHost& on, std::unique_ptr<Spool> in, unsigned threads,
      unsigned heavy)
      : options(with),
        host(on),
        spool(std::move(in)),
        documents(with.state_folder),
        pool(threads, heavy) {}

  const ServeOptions options;
  const ServeHost host;
  std::string session;  // id of this start of the server
  uint16_t port = 0;
  std::vector<Root> roots;
  Clock::time_point began = Clock::now();
  std::function<size_t()> connections;  // of the network
  std::atomic<size_t> pages{0};         // open WebSockets

  std::shared_ptr<Spool> spool;
  Documents documents;
  std::atomic<uint64_t> last_id{0};
  Registry<Job> jobs;
  Registry<OpenTrace> traces;
  Registry<QueryRun> queries;
  Registry<StoredResult> results;
  Registry<Upload> uploads;
  Registry<SearchRun> searches;
  Registry<OpenDraft> drafts;
  std::atomic<size_t> waiting_queries{0};
  std::atomic<uint64_t> removed_results{0};  // the largest id of a result that was dropped
  TaskPool pool;                             // destroyed first

  uint64_t new_id() { return ++last_id; }
  // Ends everything that runs.
  void stop();
  // Cancels exports for whose files the spool has no room. Called ten times a second.
  void tick();
  // Drops what nobody used for long. Called once a second.
  void tidy();
};

// One request of the API.
struct Call {
  std::shared_ptr<const http::Request> request;
  http::Target target;
  std::vector<std::string> ids;  // the segments of the path that are ids, in order

  const std::string* find(std::string_view parameter) const { return target.find(parameter); }
  // Returns 0, which is no id, for a text that is not one.
  uint64_t id(size_t number) const;
};

}  // namespace tracebraid::api
