#include "server/api/api.h"

#include <algorithm>

namespace tracebraid::api {
namespace {

constexpr std::chrono::minutes kJobTime{10}, kResultTime{30}, kSearchTime{10}, kDraftTime{30};
constexpr std::chrono::hours kUploadTime{1};
constexpr size_t kMostQueries = 10'000;

}  // namespace

void Api::stop() {
  for (const auto& job : jobs.all()) job->cancel();
  for (const auto& query : queries.all()) query->stop->request();
  for (const auto& trace : traces.all()) trace->closing.request();
  for (const auto& search : searches.all()) search->stop.request();
  pool.close();
}

void Api::tick() {
  for (const auto& job : jobs.all())
    if (job->folder != nullptr && job->state() == RunState::Running && !job->folder->count())
      job->cancel();
}

void Api::tidy() {
  const Clock::time_point now = Clock::now();
  for (const auto& job : jobs.all()) {
    const auto ended = job->ended();
    const bool describes_trace = job->kind == "import" && traces.find(job->trace) != nullptr;
    if (!ended || now - *ended < kJobTime || describes_trace) continue;
    jobs.remove(job->id);
  }
  size_t surplus = queries.size() - std::min(queries.size(), kMostQueries);
  for (const auto& query : queries.all())
    if (const auto ended = query->ended(); ended && (surplus > 0 || now - *ended > kJobTime)) {
      queries.remove(query->id);
      surplus -= surplus > 0 ? 1 : 0;
    }
  for (const auto& search : searches.all())
    if (now - search->used() > kSearchTime) {
      search->stop.request();
      searches.remove(search->id);
    }
  for (const auto& draft : drafts.all())
    if (now - draft->used() > kDraftTime) {
      draft->source()->job->cancel();
      drafts.remove(draft->id);
    }
  for (const auto& upload : uploads.all())
    if (now.time_since_epoch().count() - upload->used > Clock::duration(kUploadTime).count() &&
        !upload->is_writing)
      uploads.remove(upload->id);

  std::vector<std::shared_ptr<StoredResult>> kept = results.all();
  std::ranges::sort(kept, {}, &StoredResult::used);
  uint64_t bytes = 0;
  for (const auto& result : kept) bytes += result->bytes();
  for (const auto& result : kept) {
    const bool is_running = !has_ended(result->query->state());
    if (is_running || (now - result->used() < kResultTime && bytes <= StoredResult::kMostBytes))
      continue;
    bytes -= result->bytes();
    removed_results = std::max(removed_results.load(), result->id);
    results.remove(result->id);
  }
}

}  // namespace tracebraid::api
