// OpenDraft: a draft of the server: inputs that are read once, the manifest that is tried on them,
// and where it places them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/draft.h"
#include "server/api/job.h"
#include "server/api/open_trace.h"
#include "server/http/message.h"

namespace tracebraid::api {

struct OpenRequest;
struct Route;

struct OpenDraft {
  // What is read, and the job that does so. Immutable.
  struct Source {
    std::shared_ptr<const OpenRequest> request;  // the inputs and options
    std::shared_ptr<Job> job;
  };
  OpenDraft(uint64_t id, Source source);

  const uint64_t id;

  std::shared_ptr<const Source> source() const;
  // Replaces what is read, and makes a new version. Returns false, and changes nothing, if another
  // source than `known` is read by now, or if it is still being read.
  bool restart(const std::shared_ptr<const Source>& known, Source source);

  // The text of the manifest that is tried, and how often it was replaced.
  struct Version {
    uint64_t number = 1;
    std::optional<std::string> manifest;  // none: the inputs are placed as they state themselves
    std::vector<uint32_t> without;        // rows of clock_edge that are switched off
  };
  Version version() const;
  // Replaces the manifest and the edges that are switched off, if the current version is `expected`
  // or none is expected. Returns the new number; nothing if another version is current.
  std::optional<uint64_t> replace(std::optional<std::string> manifest,
                                  std::vector<uint32_t> without, std::optional<uint64_t> expected);

  // Sets what was read of `source`; ignored if another source is read by now.
  void set(const std::shared_ptr<const Source>& source, std::shared_ptr<const Draft> read);
  // Where a version places the inputs.
  struct Places {
    uint64_t version = 0;
    std::shared_ptr<const DraftPlaces> places;
    std::shared_ptr<const CheckReport> report;
    double took_ms = 0;  // placing, when it was done
  };
  // Places the inputs by the current version, once. Returns the Error of reading, Usage while the
  // inputs are read, and the error of the manifest.
  Result<Places> places();

  std::string json() const;  // the document of GET /drafts/{d}
  void touch() { used_ = Clock::now().time_since_epoch().count(); }
  Clock::time_point used() const { return Clock::time_point(Clock::duration(used_)); }

 private:
  mutable std::mutex mutex_;  // guards the next members
  Version version_;
  std::shared_ptr<const Source> source_;
  std::shared_ptr<const Draft> draft_;
  std::mutex placing_;  // guards the next members; not taken while mutex_ is held
  uint64_t placed_version_ = 0;
  std::optional<Result<Places>> placed_;
  std::atomic<Clock::rep> used_{Clock::now().time_since_epoch().count()};
};

// Returns where the draft places its inputs, or the answer if it does not.
tl::expected<OpenDraft::Places, http::Response> find_places(OpenDraft& draft);

// POST /drafts/{d}/open and /archive.
std::vector<Route> draft_action_routes();
// POST /drafts/{d}/snap, /nearest and /suggest.
std::vector<Route> draft_place_routes();

}  // namespace tracebraid::api
