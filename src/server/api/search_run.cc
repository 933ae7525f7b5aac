#include "server/api/search_run.h"

#include <algorithm>

#include "engine/rows.h"
#include "server/api/problem.h"

namespace tracebraid::api {

using timeline::HitTime;
using timeline::SearchHit;

void SearchRun::run() {
  start();
  const auto take = [this](std::span<const SearchHit> hits) {
    const std::scoped_lock lock(mutex_);
    total_ += hits.size();
    const size_t room = most - hits_.size();
    const auto some = hits.first(std::min(room, hits.size()));
    hits_.insert(hits_.end(), some.begin(), some.end());
    return true;
  };
  const Result<> ended = timeline->run(
      [&](const timeline::Timeline& over) { return timeline::search(over, query, stop, take); });
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::stable_sort(hits_, {}, &SearchHit::ts);
    times_ = nullptr;
  }
  end(ended);
}

std::string SearchRun::json() const {
  touch();
  const Status now = status();  // before the counts, which are final if it has ended
  JsonText json(JsonText::kCompact);
  const std::scoped_lock lock(mutex_);
  json.open_object().add("search", std::to_string(id)).add("state", state_name(now.state));
  json.add("hits", std::to_string(hits_.size())).add("total", std::to_string(total_));
  json.add("elapsed_ms", now.elapsed_ms);
  json.add_raw("error", now.error ? problem_json(*now.error) : "null").close_object();
  return std::move(json).finish();
}

SearchRun::Page SearchRun::page(uint64_t offset, std::optional<int64_t> from, size_t limit) const {
  touch();
  const std::scoped_lock lock(mutex_);
  if (from) {
    const auto at = std::ranges::lower_bound(hits_, *from, {}, &SearchHit::ts);
    offset = static_cast<uint64_t>(at - hits_.begin());
  }
  Page page{.total = hits_.size(), .offset = offset};
  const size_t begin = std::min<uint64_t>(offset, hits_.size());
  const size_t end = begin + std::min(limit, hits_.size() - begin);
  page.hits.assign(hits_.begin() + static_cast<ptrdiff_t>(begin),
                   hits_.begin() + static_cast<ptrdiff_t>(end));
  return page;
}

std::vector<uint32_t> SearchRun::tracks() const {
  touch();
  std::vector<uint32_t> tracks;
  {
    const std::scoped_lock lock(mutex_);
    for (const SearchHit& hit : hits_) tracks.push_back(hit.track);
  }
  std::ranges::sort(tracks);
  tracks.erase(std::ranges::unique(tracks).begin(), tracks.end());
  return tracks;
}

std::shared_ptr<const std::vector<HitTime>> SearchRun::hit_times() const {
  touch();
  const std::scoped_lock lock(mutex_);
  if (times_ == nullptr || times_of_ != hits_.size()) {
    auto times = std::make_shared<std::vector<HitTime>>();
    for (uint32_t i = 0; i < hits_.size(); ++i) times->push_back({hits_[i].ts, hits_[i].track, i});
    std::ranges::stable_sort(*times, {}, &HitTime::ts);
    times_of_ = hits_.size();
    times_ = std::move(times);
  }
  return times_;
}

}  // namespace tracebraid::api
