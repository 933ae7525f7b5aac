// Memory of processes and of the system.
#include <algorithm>
#include <array>
#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/plain_args.h"
#include "format/systrace/kernel.h"

namespace tracebraid::systrace {
namespace {

// Removes the unit of "4096B".
std::string_view without_unit(std::string_view text) {
  if (text.ends_with('B')) text.remove_suffix(1);
  return text;
}

// Handles [mm_id= curr=] member=0 size=4096B; newer kernels name the member: type=MM_FILEPAGES.
void rss_stat(const Line& line, Piece& piece) {
  state_row(line, piece);
  constexpr std::array<std::string_view, 4> kMembers{"MM_FILEPAGES", "MM_ANONPAGES", "MM_SWAPENTS",
                                                     "MM_SHMEMPAGES"};
  const KernelDetails details = details_of(line);
  std::string member(details.text("member"));
  for (size_t i = 0; i < kMembers.size(); ++i)
    if (details.text("type") == kMembers[i]) member = std::to_string(i);
  const std::string_view size = without_unit(details.text("size"));
  if (member.empty() || !parse_decimal(size)) return;
  state_meaning(line, line.name,
                {{"member", member},
                 {"size", size},
                 {"mm_id", details.text("mm_id")},
                 {"curr", details.text("curr")}},
                piece);
}

// Handles heap_name=system, len=17526784, total_allocated=181096448.
void ion_heap(const Line& line, Piece& piece) {
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  const std::optional<int64_t> total = details.number("total_allocated");
  const std::string_view heap = details.text("heap_name");
  if (!total || heap.empty()) return;
  const std::string name = "mem.ion." + std::string(heap);
  emit_counter(piece.time(line),
               piece.tracks().global_counter(0, {.type = "ion", .name = name, .unit = "bytes"},
                                             {{"heap_name", heap}}),
               static_cast<double>(*total), piece.sink());
}

// Handles buffer_id= len=4096B total_allocated=8192B; inode= may replace buffer_id=.
void allocation(const Line& line, Piece& piece) {
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  const std::string_view len = without_unit(details.text("len"));
  const std::string_view total = without_unit(details.text("total_allocated"));
  if (!parse_decimal(len) || !parse_decimal(total)) return;
  state_meaning(line, line.name,
                {{"buffer_id", details.text("buffer_id")},
                 {"inode", details.text("inode")},
                 {"len", len},
                 {"total_allocated", total}},
                piece);
}

uint32_t args_of(const Line& line, Piece& piece) {
  return details_args(details_of(line), piece.sink());
}

void reclaim_begin(const Line& line, Piece& piece) {
  state_row(line, piece);
  begin(line, thread_track(line, piece), "direct reclaim", piece, args_of(line, piece));
}

void reclaim_end(const Line& line, Piece& piece) {
  state_row(line, piece);
  end(line, thread_track(line, piece), "direct reclaim", piece, args_of(line, piece));
}

// The thread may be woken for a larger order while it is awake.
void kswapd_wake(const Line& line, Piece& piece) {
  state_row(line, piece);
  const int64_t order = details_of(line).number("order").value_or(0);
  const auto [awake, is_first] = piece.kswapd_orders.try_emplace(line.tid, order);
  awake->second = std::max(awake->second, order);
  if (!is_first) return;
  // The thread may have been woken in the chunk before.
  const uint32_t track = thread_track(line, piece);
  const EventParts parts{.name = piece.sink().string("kswapd"), .args = args_of(line, piece)};
  piece.sink().event(make_slice_begin_once(piece.time(line), track, parts));
}

void kswapd_sleep(const Line& line, Piece& piece) {
  state_row(line, piece);
  const auto awake = piece.kswapd_orders.find(line.tid);
  piece.sink().open_args();
  if (awake != piece.kswapd_orders.end() && awake->second > 0)
    add_int("order", awake->second, piece.sink());
  const uint32_t args = piece.sink().close_args();
  if (awake != piece.kswapd_orders.end()) piece.kswapd_orders.erase(awake);
  end(line, thread_track(line, piece), "kswapd", piece, args);
}

void lowmemory_kill(const Line& line, Piece& piece) {
  state_row(line, piece);
  instant(line, machine_track("lowmemory_kill", "lowmemory_kill", piece), line.details, piece);
}

constexpr KernelHandler kHandlers[] = {
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

std::span<const KernelHandler> memory_handlers() { return kHandlers; }

}  // namespace tracebraid::systrace
