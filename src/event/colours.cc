#include "event/colours.h"

#include <algorithm>
#include <iterator>

namespace tracebraid {
namespace {

struct Reserved {
  std::string_view name;
  Rgb colour;
};

// Sorted by name. One name is misspelt in its source; both spellings are accepted.
constexpr Reserved kReserved[] = {
    {"background_memory_dump", {0, 180, 180}},
    {"bad", {180, 125, 0}},
    {"black", {0, 0, 0}},
    {"cq_build_abandoned", {187, 187, 187}},
    {"cq_build_attempt_failed", {197, 81, 81}},
    {"cq_build_attempt_passed", {103, 218, 35}},
    {"cq_build_attempt_runnig", {222, 222, 75}},
    {"cq_build_attempt_running", {222, 222, 75}},
    {"cq_build_failed", {238, 136, 136}},
    {"cq_build_passed", {153, 238, 102}},
    {"cq_build_running", {255, 255, 119}},
    {"detailed_memory_dump", {180, 0, 180}},
    {"generic_work", {125, 125, 125}},
    {"good", {0, 125, 0}},
    {"grey", {221, 221, 221}},
    {"heap_dump_child_node_arrow", {204, 102, 0}},
    {"heap_dump_object_type", {0, 0, 255}},
    {"heap_dump_stack_frame", {128, 128, 128}},
    {"light_memory_dump", {0, 0, 180}},
    {"olive", {100, 100, 0}},
    {"rail_animation", {244, 74, 63}},
    {"rail_idle", {238, 142, 0}},
    {"rail_load", {13, 168, 97}},
    {"rail_response", {67, 135, 253}},
    {"startup", {230, 230, 0}},
    {"terrible", {180, 0, 0}},
    {"thread_state_iowait", {255, 140, 0}},
    {"thread_state_runnable", {133, 160, 210}},
    {"thread_state_running", {126, 200, 148}},
    {"thread_state_sleeping", {240, 240, 240}},
    {"thread_state_uninterruptible", {182, 125, 143}},
    {"thread_state_unknown", {199, 155, 125}},
    {"vsync_highlight_color", {0, 0, 255}},
    {"white", {255, 255, 255}},
    {"yellow", {255, 255, 0}},
};

// In the order of the table of the specification.
constexpr std::string_view kNumbered[] = {
    "thread_state_uninterruptible",
    "thread_state_iowait",
    "thread_state_running",
    "thread_state_runnable",
    "thread_state_sleeping",
    "thread_state_unknown",
    "background_memory_dump",
    "light_memory_dump",
    "detailed_memory_dump",
    "vsync_highlight_color",
    "generic_work",
    "good",
    "bad",
    "terrible",
    "black",
    "grey",
    "white",
    "yellow",
    "olive",
    "startup",
    "rail_response",
    "rail_animation",
    "rail_idle",
    "rail_load",
    "heap_dump_stack_frame",
    "heap_dump_object_type",
    "heap_dump_child_node_arrow",
    "cq_build_running",
    "cq_build_passed",
    "cq_build_failed",
    "cq_build_abandoned",
    "cq_build_attempt_runnig",
    "cq_build_attempt_passed",
    "cq_build_attempt_failed",
};

// Sums of palette colours and shifts can exceed white.
constexpr Rgb kPalette[kPaletteSize] = {
    {255, 161, 161}, {150, 193, 255}, {177, 210, 132}, {255, 128, 255}, {128, 221, 204},
    {228, 184, 134}, {204, 158, 255}, {152, 220, 149}, {255, 146, 193}, {133, 209, 255},
    {195, 202, 128}, {255, 130, 255}, {134, 223, 179}, {249, 171, 148}, {167, 181, 255},
    {167, 215, 137}, {255, 133, 236}, {128, 218, 222}, {215, 192, 129}, {230, 145, 255},
    {145, 222, 159}, {255, 155, 172}, {142, 200, 255}};

// The UTF-16 units of the next code point; each ill-formed byte is U+FFFD.
struct Units {
  uint32_t first = 0, second = 0;  // second: 0 if there is one unit only
};

Units next_units(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at++);
  if (lead < 0x80) return {lead, 0};
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  uint32_t code = lead & (0x3FU >> more);
  for (int i = 0; i < more; ++i) {
    if (lead < 0xC2 || lead > 0xF4 || at == text.size() || (byte(at) & 0xC0) != 0x80)
      return {0xFFFD, 0};
    code = code << 6 | (byte(at++) & 0x3FU);
  }
  if (code < 0x10000) return {code, 0};
  code -= 0x10000;
  return {0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)};
}

}  // namespace

std::optional<Rgb> reserved_colour(std::string_view name) {
  const auto* const at = std::ranges::lower_bound(kReserved, name, {}, &Reserved::name);
  if (at == std::end(kReserved) || at->name != name) return std::nullopt;
  return at->colour;
}

std::optional<uint32_t> reserved_colour_number(std::string_view name) {
  if (name == "cq_build_attempt_running") name = "cq_build_attempt_runnig";
  const auto* const at = std::ranges::find(kNumbered, name);
  if (at == std::end(kNumbered)) return std::nullopt;
  return static_cast<uint32_t>(at - kNumbered);
}

uint32_t palette_index(std::string_view text) {
  uint64_t hash = 0;
  const auto add = [&](uint64_t unit) { hash = (hash + 37 * hash + 11 * unit) % 0xFFFFFFFF; };
  for (size_t at = 0; at < text.size();) {
    const Units units = next_units(text, at);
    add(units.first);
    if (units.second != 0) add(units.second);
  }
  return static_cast<uint32_t>(hash % kPaletteSize);
}

Rgb palette_colour(uint32_t index) { return kPalette[index % kPaletteSize]; }

}  // namespace tracebraid
