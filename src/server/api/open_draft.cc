#include "server/api/open_draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <utility>

#include "engine/rows.h"
#include "server/api/open_inputs.h"
#include "server/api/problem.h"

namespace tracebraid::api {
namespace {

constexpr const char* kManifestName = "manifest.json";  // in messages

std::string_view name_of(RunState state) {
  switch (state) {
    case RunState::Done:
      return "ready";
    case RunState::Failed:
      return "failed";
    case RunState::Cancelled:
      return "cancelled";
    default:
      return "reading";
  }
}

}  // namespace

OpenDraft::OpenDraft(uint64_t id, Source source)
    : id(id), source_(std::make_shared<const Source>(std::move(source))) {}

std::shared_ptr<const OpenDraft::Source> OpenDraft::source() const {
  const std::scoped_lock lock(mutex_);
  return source_;
}

bool OpenDraft::restart(const std::shared_ptr<const Source>& known, Source source) {
  const std::scoped_lock lock(mutex_);
  if (source_ != known || !has_ended(source_->job->state())) return false;
  source_ = std::make_shared<const Source>(std::move(source));
  draft_ = nullptr;
  version_.without.clear();  // rows of the edges of the files before
  ++version_.number;
  return true;
}

OpenDraft::Version OpenDraft::version() const {
  const std::scoped_lock lock(mutex_);
  return version_;
}

std::optional<uint64_t> OpenDraft::replace(std::optional<std::string> manifest,
                                           std::vector<uint32_t> without,
                                           std::optional<uint64_t> expected) {
  const std::scoped_lock lock(mutex_);
  if (expected && *expected != version_.number) return std::nullopt;
  version_.manifest = std::move(manifest);
  version_.without = std::move(without);
  return ++version_.number;
}

void OpenDraft::set(const std::shared_ptr<const Source>& source,
                    std::shared_ptr<const Draft> read) {
  const std::scoped_lock lock(mutex_);
  if (source_ == source) draft_ = std::move(read);
}

Result<OpenDraft::Places> OpenDraft::places() {
  const std::scoped_lock placing(placing_);
  Version version;
  std::shared_ptr<const Draft> draft;
  {
    const std::scoped_lock lock(mutex_);
    version = version_;
    draft = draft_;
  }
  if (draft == nullptr) {
    if (const std::optional<Error> error = source()->job->error()) return tl::unexpected(*error);
    return fail(ErrorCode::Usage, "the inputs are still being read");
  }
  if (placed_ && placed_version_ == version.number) return *placed_;
  const Clock::time_point began = Clock::now();
  const auto place = [&]() -> Result<Places> {
    TB_TRY_ASSIGN(auto places, draft->place(version.manifest, kManifestName, version.without));
    const std::chrono::duration<double, std::milli> took = Clock::now() - began;
    TB_TRY_ASSIGN(CheckReport report, places->report());
    return Places{version.number, std::move(places),
                  std::make_shared<const CheckReport>(std::move(report)), took.count()};
  };
  placed_version_ = version.number;
  placed_ = place();
  return *placed_;
}

std::string OpenDraft::json() const {
  Version version;
  std::shared_ptr<const Source> source;
  std::shared_ptr<const Draft> draft;
  {
    const std::scoped_lock lock(mutex_);
    version = version_;
    source = source_;
    draft = draft_;
  }
  const Job::Status status = source->job->status();
  JsonText json(JsonText::kCompact);
  json.open_object().add("draft", std::to_string(id)).add("name", title_of(*source->request));
  json.add("state", name_of(status.state)).add("job", std::to_string(source->job->id));
  json.add("version", std::to_string(version.number));
  if (version.manifest)
    json.add("manifest", *version.manifest);
  else
    json.add_raw("manifest", "null");
  json.add_raw("without", fmt::format("[{}]", fmt::join(version.without, ",")));
  json.open_array("inputs");
  for (const TraceInputName& input : source->request->inputs) {
    json.open_object().add("name", input.name);
    if (input.upload.empty())
      json.add("path", input.path).add("root", input.root);
    else
      json.add("upload", input.upload);
    json.close_object();
  }
  json.close_array().add("command", command_of(*source->request));
  json.add("events", std::to_string(draft == nullptr ? 0 : draft->events()));
  json.add("memory", std::to_string(draft == nullptr ? 0 : draft->memory()));
  if (status.error) json.add_raw("error", problem_json(*status.error));
  json.close_object();
  return std::move(json).finish();
}

// Returns where the draft places its inputs, or the answer if it does not.
tl::expected<OpenDraft::Places, http::Response> find_places(OpenDraft& draft) {
  Result<OpenDraft::Places> places = draft.places();
  if (places) return *std::move(places);
  const bool is_reading = places.error().code == ErrorCode::Usage;
  return tl::unexpected(is_reading ? problem(kConflict, places.error().message)
                                   : problem(places.error()));
}

}  // namespace tracebraid::api
