// Work of Adreno GPUs, whose times are readings of the clock of the GPU (spec proto-2 7).
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "assemble/kernel/by_machine.h"
#include "assemble/kernel/topics.h"

namespace tracebraid {
namespace {

// A command batch that the GPU has retired. Times in ticks.
struct Retired {
  Event event;  // its time is that of the slice, once known
  const PlacedBatch* from;
  uint32_t batch, machine, utid;
  const FieldNames* names;
  const StringPool* strings;
  uint32_t track;
  uint64_t start, end;
};

// Relates the clock of the GPU to trace time.
struct Sync {
  int64_t ts;  // ns
  uint64_t ticks;
};

// Returns a * b / c rounded towards 0; nothing if it does not fit.
std::optional<int64_t> scaled(int64_t a, int64_t b, int64_t c) {
  const __int128 value = static_cast<__int128>(a) * b / c;
  if (value > std::numeric_limits<int64_t>::max() || value < std::numeric_limits<int64_t>::min())
    return std::nullopt;
  return static_cast<int64_t>(value);
}

// Slices are placed by the sync event with the same number, which may come before or after.
class AdrenoState {
 public:
  Remembered<uint32_t> thread_of_context;

  void add_sync(OfMachine number, const Sync& sync) {
    const auto waiting = waiting_.find(number);
    if (waiting == waiting_.end()) {
      syncs_.insert_or_assign(number, sync);
      return;
    }
    place(waiting->second.front(), sync);
    waiting->second.pop_front();
    if (waiting->second.empty()) waiting_.erase(waiting);
  }
  void add_retired(OfMachine number, const Retired& retired) {
    const auto sync = syncs_.find(number);
    if (sync == syncs_.end()) {
      waiting_[number].push_back(retired);
      return;
    }
    place(retired, sync->second);
    syncs_.erase(sync);
  }

  void finish(KernelEmitter& out) {
    std::ranges::stable_sort(placed_, {}, [](const Retired& each) { return each.event.ts; });
    for (const Retired& retired : placed_) {
      const KernelEvent e{.event = retired.event,
                          .from = *retired.from,
                          .batch = retired.batch,
                          .machine = retired.machine,
                          .utid = retired.utid,
                          .rows = {},
                          .names = *retired.names,
                          .strings = *retired.strings};
      const auto dur = ns_of(retired.end - retired.start);
      if (dur && *dur >= 0) out.complete(e, retired.track, out.id("GPU"), *dur);
    }
  }

 private:
  static std::optional<int64_t> ns_of(uint64_t ticks) {
    constexpr int64_t kNsPerSecond = 1'000'000'000, kTicksPerSecond = 19'200'000;
    return scaled(static_cast<int64_t>(ticks), kNsPerSecond, kTicksPerSecond);
  }
  void place(Retired retired, const Sync& sync) {
    const auto offset = ns_of(retired.start - sync.ticks);
    int64_t ts = 0;
    if (!offset || __builtin_add_overflow(sync.ts, *offset, &ts)) return;
    retired.event.ts = ts;
    placed_.push_back(retired);
  }

  Remembered<Sync> syncs_;
  Remembered<std::deque<Retired>> waiting_;
  std::vector<Retired> placed_;
};

void cmdbatch_queued(KernelEmitter&, AdrenoState& state, const KernelEvent& e) {
  state.thread_of_context[{e.machine, e.u32("id")}] = e.utid;
}

void cmdbatch_sync(KernelEmitter&, AdrenoState& state, const KernelEvent& e) {
  state.add_sync({e.machine, e.u32("timestamp")}, {e.ts(), e.u64("ticks")});
}

std::string_view context_process(KernelEmitter& out, const AdrenoState& state, const KernelEvent& e,
                                 uint32_t context) {
  const auto known = state.thread_of_context.find({e.machine, context});
  if (known == state.thread_of_context.end()) return {};
  const uint32_t upid = out.process_of_thread(known->second);
  return upid == OptRow::kNull ? std::string_view() : out.text(out.process_name(upid));
}

void cmdbatch_retired(KernelEmitter& out, AdrenoState& state, const KernelEvent& e) {
  const uint64_t start = e.u64("start"), end = e.u64("retire");
  if (end < start) return;
  const uint32_t context = e.u32("id");
  const int32_t prio = e.i32("prio");
  const uint32_t track = out.track(
      e, {.type = "adreno_gpu_cmdbatch", .lanes = Lanes::ByCookie}, kNone,
      {{"context_id", context}, {"prio", prio}}, [&] {
        const std::string_view process = context_process(out, state, e, context);
        return fmt::format("GPU {}{}(Ctx={}, Prio={})", process, process.empty() ? "" : " ",
                           context, static_cast<uint32_t>(prio));
      });
  state.add_retired({e.machine, e.u32("timestamp")}, {.event = e.event,
                                                      .from = &e.from,
                                                      .batch = e.batch,
                                                      .machine = e.machine,
                                                      .utid = e.utid,
                                                      .names = &e.names,
                                                      .strings = &e.strings,
                                                      .track = track,
                                                      .start = start,
                                                      .end = end});
}

constexpr KernelHandler<AdrenoState> kHandlers[] = {
    {"kgsl_adreno_cmdbatch_queued", cmdbatch_queued},
    {"kgsl_adreno_cmdbatch_sync", cmdbatch_sync},
    {"kgsl_adreno_cmdbatch_retired", cmdbatch_retired},
};

}  // namespace

std::unique_ptr<KernelTopic> adreno_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
