// Memory of processes and of the system.
#include <algorithm>
#include <array>
#include <string>

#include "base/words.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "kernel/text/emit.h"
#include "kernel/text/topics.h"

namespace tracebraid::kernel_text {
namespace {

// Removes the unit of "4096B".
std::string_view without_unit(std::string_view text) {
  if (text.ends_with('B')) text.remove_suffix(1);
  return text;
}

// Handles [mm_id= curr=] member=0 size=4096B; newer kernels name the member: type=MM_FILEPAGES.
void rss_stat(const Line& line, Context& context) {
  emit_row(line, context);
  constexpr std::array<std::string_view, 4> kMembers{"MM_FILEPAGES", "MM_ANONPAGES", "MM_SWAPENTS",
                                                     "MM_SHMEMPAGES"};
  const KernelDetails details = details_of(line);
  std::string member(details.text("member"));
  for (size_t i = 0; i < kMembers.size(); ++i)
    if (details.text("type") == kMembers[i]) member = std::to_string(i);
  const std::string_view size = without_unit(details.text("size"));
  if (member.empty() || !parse_decimal(size)) return;
  emit_meaning(line, line.name,
               {{"member", member},
                {"size", size},
                {"mm_id", details.text("mm_id")},
                {"curr", details.text("curr")}},
               context);
}

// Handles heap_name=system, len=17526784, total_allocated=181096448.
void ion_heap(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const std::optional<int64_t> total = details.number("total_allocated");
  const std::string_view heap = details.text("heap_name");
  if (!total || heap.empty()) return;
  const std::string name = "mem.ion." + std::string(heap);
  emit_counter(context.time(line),
               context.tracks().global_counter(0, {.type = "ion", .name = name, .unit = "bytes"},
                                               {{"heap_name", heap}}),
               static_cast<double>(*total), context.sink());
}

// Handles buffer_id= len=4096B total_allocated=8192B; inode= may replace buffer_id=.
void allocation(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const std::string_view len = without_unit(details.text("len"));
  const std::string_view total = without_unit(details.text("total_allocated"));
  if (!parse_decimal(len) || !parse_decimal(total)) return;
  emit_meaning(line, line.name,
               {{"buffer_id", details.text("buffer_id")},
                {"inode", details.text("inode")},
                {"len", len},
                {"total_allocated", total}},
               context);
}

uint32_t args_of(const Line& line, Context& context) {
  return details_args(details_of(line), context.sink());
}

void reclaim_begin(const Line& line, Context& context) {
  emit_row(line, context);
  begin(line, thread_track(line, context), "direct reclaim", context, args_of(line, context));
}

void reclaim_end(const Line& line, Context& context) {
  emit_row(line, context);
  end(line, thread_track(line, context), "direct reclaim", context, args_of(line, context));
}

// The thread may be woken for a larger order while it is awake.
void kswapd_wake(const Line& line, Context& context) {
  emit_row(line, context);
  const int64_t order = details_of(line).number("order").value_or(0);
  const auto [awake, is_first] = context.kswapd_orders.try_emplace(line.tid, order);
  awake->second = std::max(awake->second, order);
  if (!is_first) return;
  // The thread may have been woken in an earlier chunk, too.
  const uint32_t track = thread_track(line, context);
  const EventParts parts{.name = context.sink().string("kswapd"), .args = args_of(line, context)};
  context.sink().event(make_slice_begin_once(context.time(line), track, parts));
}

void kswapd_sleep(const Line& line, Context& context) {
  emit_row(line, context);
  const auto awake = context.kswapd_orders.find(line.tid);
  context.sink().open_args();
  if (awake != context.kswapd_orders.end() && awake->second > 0)
    add_int("order", awake->second, context.sink());
  const uint32_t args = context.sink().close_args();
  if (awake != context.kswapd_orders.end()) context.kswapd_orders.erase(awake);
  end(line, thread_track(line, context), "kswapd", context, args);
}

void lowmemory_kill(const Line& line, Context& context) {
  emit_row(line, context);
  instant(line, machine_track("lowmemory_kill", "lowmemory_kill", context), line.details, context);
}

constexpr Handler kHandlers[] = {
    {"rss_stat", rss_stat},
    {"rss_stat_throttled", rss_stat},
    {"ion_heap_grow", ion_heap},
    {"ion_heap_shrink", ion_heap},
    {"ion_stat", allocation},
    {"dma_heap_stat", allocation},
    {"mm_vmscan_direct_reclaim_begin", reclaim_begin},
    {"mm_vmscan_direct_reclaim_end", reclaim_end},
    {"mm_vmscan_kswapd_wake", kswapd_wake},
    {"mm_vmscan_kswapd_sleep", kswapd_sleep},
    {"lowmemory_kill", lowmemory_kill},
};

}  // namespace

std::span<const Handler> memory_handlers() { return kHandlers; }

}  // namespace tracebraid::kernel_text
