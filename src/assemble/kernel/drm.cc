// Fences, and the jobs of GPU rings (spec proto 5.5, "DRM / dma-fence").
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <deque>
#include <utility>

#include "assemble/kernel/topics.h"

namespace tracebraid {
namespace {

struct FenceTimeline {
  bool emits = false;
  std::deque<uint64_t> pending;
};
// A job of a GPU, or its fence.
struct DrmJob {
  uint64_t id = 0, context = 0;
  bool is_keyed_by_fence = false;
  friend bool operator==(const DrmJob&, const DrmJob&) = default;
  template <class H>
  friend H AbslHashValue(H h, const DrmJob& j) {
    return H::combine(std::move(h), j.id, j.context, j.is_keyed_by_fence);
  }
};
struct SchedRing {
  uint32_t track = kNone;
  std::deque<DrmJob> jobs;  // running jobs, one at a time
};

struct DrmState {
  absl::flat_hash_map<uint32_t, FenceTimeline> fences;                       // by track
  absl::flat_hash_map<uint32_t, SchedRing> rings;                            // by track
  absl::flat_hash_map<std::pair<uint32_t, DrmJob>, uint32_t> ring_of_fence;  // track
  absl::flat_hash_map<std::pair<uint32_t, DrmJob>, uint32_t> queued_jobs;    // slice
};

constexpr std::string_view kUnbound = "unbound";

struct TimelineOf {
  uint32_t track;
  FenceTimeline& timeline;
};

TimelineOf timeline_of(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  const std::string_view name = e.text("timeline");
  const uint32_t context = e.u32("context");
  const uint32_t track =
      out.track(e, {.type = "drm_fence"}, kNone, {{"name", name}, {"context", context}},
                [&] { return fmt::format("fence-{}-{}", name, context); });
  return {track, state.fences[track]};
}

void begin_fence(KernelEmitter& out, const KernelEvent& e, uint32_t track, uint64_t seqno) {
  out.begin(e, track, out.id("fence"), {.args = out.args().uint("fence seqno", seqno).close()});
}

void add_fence(KernelEmitter& out, const KernelEvent& e, const TimelineOf& at) {
  const uint64_t seqno = e.u32("seqno");
  if (at.timeline.pending.empty()) begin_fence(out, e, at.track, seqno);
  at.timeline.pending.push_back(seqno);
}

// If fences are emitted, their creation is not shown.
void dma_fence_init(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  if (e.text("timeline") == kUnbound) return;
  const TimelineOf at = timeline_of(out, state, e);
  if (!at.timeline.emits) add_fence(out, e, at);
}

void dma_fence_emit(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  if (e.text("timeline") == kUnbound) return;
  const TimelineOf at = timeline_of(out, state, e);
  if (!at.timeline.emits) {
    at.timeline.emits = true;
    if (!at.timeline.pending.empty()) out.end(e, at.track);
    at.timeline.pending.clear();
  }
  add_fence(out, e, at);
}

void dma_fence_signaled(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  const TimelineOf at = timeline_of(out, state, e);
  std::deque<uint64_t>& pending = at.timeline.pending;
  const uint64_t seqno = e.u32("seqno");
  if (pending.empty() || seqno < pending.front()) return;
  out.end(e, at.track);
  while (!pending.empty() && seqno >= pending.front()) pending.pop_front();
  if (!pending.empty()) begin_fence(out, e, at.track, pending.front());
}

void dma_fence_wait_start(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource args = out.args()
                             .uint("fence context", e.u32("context"))
                             .uint("fence seqno", e.u32("seqno"))
                             .close();
  out.begin(e, out.thread_track(e), out.id("dma_fence_wait"), {.args = args});
}

void dma_fence_wait_end(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, out.thread_track(e));
}

void add_vblank(KernelEmitter& out, const KernelEvent& e, std::string_view name) {
  const int32_t crtc = e.i32("crtc");
  const uint32_t track = out.track(e, {.type = "drm_vblank"}, kNone, {{"drm_crtc", crtc}},
                                   [=] { return fmt::format("vblank-{}", crtc); });
  out.instant(e, track, out.id(name),
              {.args = out.args().uint("vblank seqno", e.u32("seq")).close()});
}

void drm_vblank_event(KernelEmitter& out, const KernelEvent& e) { add_vblank(out, e, "signal"); }
void drm_vblank_event_delivered(KernelEmitter& out, const KernelEvent& e) {
  add_vblank(out, e, "deliver");
}

// Returns the key of a job: its id, or, in newer kernels, its fence.
DrmJob job_of(const KernelEvent& e, bool is_keyed_by_fence) {
  if (!is_keyed_by_fence) return {e.u64("id"), 0, false};
  return {e.u64("fence_seqno"), e.u64("fence_context"), true};
}
DrmJob fence_of(const KernelEvent& e, bool is_keyed_by_fence) {
  if (!is_keyed_by_fence) return {e.u64("fence"), 0, false};
  return job_of(e, true);
}

void add_job_args(KernelEmitter& out, const DrmJob& job) {
  if (job.is_keyed_by_fence)
    out.more_args().uint("fence context", job.context).uint("fence seqno", job.id);
  else
    out.more_args().uint("gpu sched job", job.id);
}

void queue_job(KernelEmitter& out, DrmState& state, const KernelEvent& e, const DrmJob& job) {
  out.args().text("gpu sched ring", e.text("name"));
  add_job_args(out, job);
  const uint32_t slice = out.instant(e, out.thread_track(e), out.id("drm_sched_job_queue"),
                                     {.args = out.more_args().close()});
  state.queued_jobs[{e.machine, job}] = slice;
}

void begin_job(KernelEmitter& out, DrmState& state, const KernelEvent& e, const SchedRing& ring) {
  const DrmJob& job = ring.jobs.front();
  out.args();
  add_job_args(out, job);
  const uint32_t slice = out.begin(e, ring.track, out.id("job"), {.args = out.more_args().close()});
  auto& queued = state.queued_jobs;
  const auto from = queued.find({e.machine, job});
  if (from == queued.end()) return;
  out.connect(from->second, slice);
  queued.erase(from);
}

void run_job(KernelEmitter& out, DrmState& state, const KernelEvent& e, const DrmJob& job,
             const DrmJob& fence) {
  const std::string_view name = e.text("name");
  const uint32_t track = out.track(e, {.type = "drm_sched_ring"}, kNone, {{"name", name}},
                                   [&] { return fmt::format("sched-{}", name); });
  SchedRing& ring = state.rings[track];
  ring.track = track;
  state.ring_of_fence[{e.machine, fence}] = track;
  ring.jobs.push_back(job);
  if (ring.jobs.size() == 1) begin_job(out, state, e, ring);
}

void finish_job(KernelEmitter& out, DrmState& state, const KernelEvent& e, const DrmJob& fence) {
  auto& fences = state.ring_of_fence;
  const auto at = fences.find({e.machine, fence});
  if (at == fences.end()) return;
  SchedRing& ring = state.rings[at->second];
  fences.erase(at);
  if (ring.jobs.empty()) return;
  out.end(e, ring.track);
  ring.jobs.pop_front();
  if (!ring.jobs.empty()) begin_job(out, state, e, ring);
}

void drm_sched_job(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  queue_job(out, state, e, job_of(e, false));
}
void drm_sched_job_queue(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  queue_job(out, state, e, job_of(e, true));
}
void drm_run_job(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  run_job(out, state, e, job_of(e, false), fence_of(e, false));
}
void drm_sched_job_run(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  run_job(out, state, e, job_of(e, true), fence_of(e, true));
}
void drm_sched_process_job(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  finish_job(out, state, e, fence_of(e, false));
}
void drm_sched_job_done(KernelEmitter& out, DrmState& state, const KernelEvent& e) {
  finish_job(out, state, e, fence_of(e, true));
}

constexpr KernelHandler<DrmState> kHandlers[] = {
    {"dma_fence_init", dma_fence_init},
    {"dma_fence_emit", dma_fence_emit},
    {"dma_fence_signaled", dma_fence_signaled},
    {"dma_fence_wait_start", dma_fence_wait_start},
    {"dma_fence_wait_end", dma_fence_wait_end},
    {"drm_vblank_event", drm_vblank_event},
    {"drm_vblank_event_delivered", drm_vblank_event_delivered},
    {"drm_sched_job", drm_sched_job},
    {"drm_sched_job_queue", drm_sched_job_queue},
    {"drm_run_job", drm_run_job},
    {"drm_sched_job_run", drm_sched_job_run},
    {"drm_sched_process_job", drm_sched_process_job},
    {"drm_sched_job_done", drm_sched_job_done},
};

}  // namespace

std::unique_ptr<KernelTopic> drm_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
