#include "timeline/tree/type_groups.h"

#include <algorithm>
#include <iterator>

namespace tracebraid::timeline {
namespace {

// By the beginning of the type; the first that fits.
struct Prefix {
  std::string_view prefix, title;
};
constexpr Prefix kPrefixes[] = {{"gpu", "GPU"},
                                {"mali", "GPU"},
                                {"adreno", "GPU"},
                                {"powervr", "GPU"},
                                {"drm_", "GPU"},
                                {"virtgpu", "GPU"},
                                {"vulkan", "GPU"},
                                {"cpu", "CPU"},
                                {"pkvm", "CPU"},
                                {"irq", "Kernel"},
                                {"softirq", "Kernel"},
                                {"vmstat", "Memory"},
                                {"meminfo", "Memory"},
                                {"android_dma", "Memory"},
                                {"android_ion", "Memory"},
                                {"clock", "Clocks"},
                                {"linux_", "Kernel"},
                                {"power", "Power"},
                                {"battery", "Power"},
                                {"android_energy", "Power"},
                                {"screen", "Power"},
                                {"suspend", "Power"},
                                {"wakesource", "Power"},
                                {"entity_state", "Power"},
                                {"android_kernel_wakelock", "Power"},
                                {"net", "Network"},
                                {"block", "Storage"},
                                {"f2fs", "Storage"},
                                {"ufs", "Storage"},
                                {"disk", "Storage"}};
constexpr std::string_view kGroupOrder[] = {"GPU",    "CPU",   "Kernel",  "Clocks",
                                            "Memory", "Power", "Network", "Storage"};

}  // namespace

std::optional<TypeGroup> group_of_type(std::string_view type) {
  for (const auto& [prefix, title] : kPrefixes) {
    if (!type.starts_with(prefix)) continue;
    const auto* const at = std::ranges::find(kGroupOrder, title);
    return TypeGroup{title, static_cast<int>(at - std::begin(kGroupOrder))};
  }
  return std::nullopt;
}

}  // namespace tracebraid::timeline
