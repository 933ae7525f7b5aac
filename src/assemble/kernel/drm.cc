// Fences, and the jobs of GPU rings (spec proto 5.5, "DRM / dma-fence").
#include <fmt/format.h>

#include "assemble/kernel/kernel.h"
#include "assemble/kernel/state.h"

namespace tracebraid {
namespace {

constexpr std::string_view kUnbound = "unbound";

struct TimelineOf {
  uint32_t track;
  FenceTimeline& timeline;
};

TimelineOf timeline_of(Kernel& k, const KernelEvent& e) {
  const std::string_view name = e.text("timeline");
  const uint32_t context = e.u32("context");
  const uint32_t track =
      k.track(e, {.type = "drm_fence"}, kNone, {{"name", name}, {"context", context}},
              [&] { return fmt::format("fence-{}-{}", name, context); });
  return {track, k.state().gpu.fences[track]};
}

void begin_fence(Kernel& k, const KernelEvent& e, uint32_t track, uint64_t seqno) {
  k.begin(e, track, k.id("fence"), {.args = k.set().uint("fence seqno", seqno).close()});
}

void add_fence(Kernel& k, const KernelEvent& e, const TimelineOf& at) {
  const uint64_t seqno = e.u32("seqno");
  if (at.timeline.pending.empty()) begin_fence(k, e, at.track, seqno);
  at.timeline.pending.push_back(seqno);
}

// Where fences are emitted, that they were made says nothing.
void dma_fence_init(Kernel& k, const KernelEvent& e) {
  if (e.text("timeline") == kUnbound) return;
  const TimelineOf at = timeline_of(k, e);
  if (!at.timeline.emits) add_fence(k, e, at);
}

void dma_fence_emit(Kernel& k, const KernelEvent& e) {
  if (e.text("timeline") == kUnbound) return;
  const TimelineOf at = timeline_of(k, e);
  if (!at.timeline.emits) {
    at.timeline.emits = true;
    if (!at.timeline.pending.empty()) k.end(e, at.track);
    at.timeline.pending.clear();
  }
  add_fence(k, e, at);
}

void dma_fence_signaled(Kernel& k, const KernelEvent& e) {
  const TimelineOf at = timeline_of(k, e);
  std::deque<uint64_t>& pending = at.timeline.pending;
  const uint64_t seqno = e.u32("seqno");
  if (pending.empty() || seqno < pending.front()) return;
  k.end(e, at.track);
  while (!pending.empty() && seqno >= pending.front()) pending.pop_front();
  if (!pending.empty()) begin_fence(k, e, at.track, pending.front());
}

void dma_fence_wait_start(Kernel& k, const KernelEvent& e) {
  const ArgSource args =
      k.set().uint("fence context", e.u32("context")).uint("fence seqno", e.u32("seqno")).close();
  k.begin(e, k.thread_track(e), k.id("dma_fence_wait"), {.args = args});
}

void dma_fence_wait_end(Kernel& k, const KernelEvent& e) { k.end(e, k.thread_track(e)); }

void add_vblank(Kernel& k, const KernelEvent& e, std::string_view name) {
  const int32_t crtc = e.i32("crtc");
  const uint32_t track = k.track(e, {.type = "drm_vblank"}, kNone, {{"drm_crtc", crtc}},
                                 [=] { return fmt::format("vblank-{}", crtc); });
  k.instant(e, track, k.id(name), {.args = k.set().uint("vblank seqno", e.u32("seq")).close()});
}

void drm_vblank_event(Kernel& k, const KernelEvent& e) { add_vblank(k, e, "signal"); }
void drm_vblank_event_delivered(Kernel& k, const KernelEvent& e) { add_vblank(k, e, "deliver"); }

// A job is known by its id, or, in newer kernels, by its fence.
DrmJob job_of(const KernelEvent& e, bool is_keyed_by_fence) {
  if (!is_keyed_by_fence) return {e.u64("id"), 0, false};
  return {e.u64("fence_seqno"), e.u64("fence_context"), true};
}
DrmJob fence_of(const KernelEvent& e, bool is_keyed_by_fence) {
  if (!is_keyed_by_fence) return {e.u64("fence"), 0, false};
  return job_of(e, true);
}

void add_job_args(Kernel& k, const DrmJob& job) {
  if (job.is_keyed_by_fence)
    k.more().uint("fence context", job.context).uint("fence seqno", job.id);
  else
    k.more().uint("gpu sched job", job.id);
}

void queue_job(Kernel& k, const KernelEvent& e, const DrmJob& job) {
  k.set().text("gpu sched ring", e.text("name"));
  add_job_args(k, job);
  const uint32_t slice =
      k.instant(e, k.thread_track(e), k.id("drm_sched_job_queue"), {.args = k.more().close()});
  k.state().gpu.queued_jobs[{e.machine, job}] = slice;
}

void begin_job(Kernel& k, const KernelEvent& e, const SchedRing& ring) {
  const DrmJob& job = ring.jobs.front();
  k.set();
  add_job_args(k, job);
  const uint32_t slice = k.begin(e, ring.track, k.id("job"), {.args = k.more().close()});
  auto& queued = k.state().gpu.queued_jobs;
  const auto from = queued.find({e.machine, job});
  if (from == queued.end()) return;
  k.flows.connect(from->second, slice);
  queued.erase(from);
}

void run_job(Kernel& k, const KernelEvent& e, const DrmJob& job, const DrmJob& fence) {
  const std::string_view name = e.text("name");
  const uint32_t track = k.track(e, {.type = "drm_sched_ring"}, kNone, {{"name", name}},
                                 [&] { return fmt::format("sched-{}", name); });
  SchedRing& ring = k.state().gpu.rings[track];
  ring.track = track;
  k.state().gpu.ring_of_fence[{e.machine, fence}] = track;
  ring.jobs.push_back(job);
  if (ring.jobs.size() == 1) begin_job(k, e, ring);
}

void finish_job(Kernel& k, const KernelEvent& e, const DrmJob& fence) {
  auto& fences = k.state().gpu.ring_of_fence;
  const auto at = fences.find({e.machine, fence});
  if (at == fences.end()) return;
  SchedRing& ring = k.state().gpu.rings[at->second];
  fences.erase(at);
  if (ring.jobs.empty()) return;
  k.end(e, ring.track);
  ring.jobs.pop_front();
  if (!ring.jobs.empty()) begin_job(k, e, ring);
}

void drm_sched_job(Kernel& k, const KernelEvent& e) { queue_job(k, e, job_of(e, false)); }
void drm_sched_job_queue(Kernel& k, const KernelEvent& e) { queue_job(k, e, job_of(e, true)); }
void drm_run_job(Kernel& k, const KernelEvent& e) {
  run_job(k, e, job_of(e, false), fence_of(e, false));
}
void drm_sched_job_run(Kernel& k, const KernelEvent& e) {
  run_job(k, e, job_of(e, true), fence_of(e, true));
}
void drm_sched_process_job(Kernel& k, const KernelEvent& e) {
  finish_job(k, e, fence_of(e, false));
}
void drm_sched_job_done(Kernel& k, const KernelEvent& e) { finish_job(k, e, fence_of(e, true)); }

constexpr KernelHandler kHandlers[] = {
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

KernelHandlers drm_handlers() { return kHandlers; }

}  // namespace tracebraid
