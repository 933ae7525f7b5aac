#include "assemble/json/memory_regions.h"

#include <algorithm>
#include <string>

#include "event/batch.h"

namespace tracebraid {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Returns the category of files /dev/ashmem/dalvik-...
std::string_view java_class(std::string_view file) {
  if (has(file, "/dalvik-alloc space") || has(file, "/dalvik-main space"))
    return "Android/Java runtime/Spaces/Normal";
  if (has(file, "/dalvik-large object space")) return "Android/Java runtime/Spaces/Large";
  if (has(file, "/dalvik-zygote space")) return "Android/Java runtime/Spaces/Zygote";
  if (has(file, "/dalvik-non moving space")) return "Android/Java runtime/Spaces/Non-moving";
  if (has(file, "/dalvik-LinearAlloc")) return "Android/Java runtime/Linear Alloc";
  if (has(file, "/dalvik-indirect")) return "Android/Java runtime/Indirect Reference Table";
  if (has(file, "/dalvik-jit-code-cache")) return "Android/Java runtime/Cache";
  return "Android/Java runtime/Accounting";
}

// Returns the category by the end of the name; empty if there is none.
std::string_view file_class(std::string_view file) {
  if (has(file, ".so")) return "Files/so";  // matches libc.so.6, too
  if (file.ends_with(".jar")) return "Files/jar";
  if (file.ends_with(".apk")) return "Files/apk";
  if (file.ends_with(".ttf")) return "Files/ttf";
  if (has(file, ".dex") || file.ends_with(".odex")) return "Files/dex";
  if (file.ends_with(".oat")) return "Files/oat";
  if (file.ends_with(".art")) return "Files/art";
  return {};
}

std::string protection_text(int64_t bits) {
  constexpr int64_t kRead = 4, kWrite = 2, kExecute = 1, kMayShare = 128;
  std::string text;
  text += (bits & kRead) != 0 ? 'r' : '-';
  text += (bits & kWrite) != 0 ? 'w' : '-';
  text += (bits & kExecute) != 0 ? 'x' : '-';
  text += (bits & kMayShare) != 0 ? 's' : 'p';
  return text;
}

}  // namespace

std::string_view region_class(std::string_view file) {
  constexpr std::string_view kAshmem = "/dev/ashmem";
  const bool is_libc = file.starts_with("/dev/ashmem/libc malloc");
  if (file.starts_with(kAshmem) && !is_libc) {
    if (file.starts_with("/dev/ashmem/dalvik-")) return java_class(file);
    return has(file, "/CursorWindow") ? "Android/Cursor" : "Android/Ashmem";
  }
  if (file.empty() || is_libc || file.starts_with("[heap]") || file.starts_with("[anon:"))
    return "Native heap";
  if (file.starts_with("[stack")) return "Stack";
  if (const std::string_view of_file = file_class(file); !of_file.empty()) return of_file;
  if (has(file, "anon_inode:dmabuf")) return "Devices/DMA";
  if (file.starts_with("/dev/")) {
    const bool is_gpu = has(file, "/nv") || has(file, "/mali") || has(file, "/kgsl");
    return is_gpu ? "Devices/GPU" : "Devices";
  }
  return "Other";
}

void add_memory_regions(std::span<const MemoryRegion> regions, uint32_t process_snapshot,
                        Store& store) {
  const bool has_proportional = std::ranges::any_of(regions, [](const MemoryRegion& region) {
    return region.bytes[MemoryRegion::kProportional] != kUnset &&
           region.bytes[MemoryRegion::kProportional] != 0;
  });
  JsonMemoryRegionTable& table = store.json.memory_regions;
  for (const MemoryRegion& region : regions) {
    table.process_snapshot_id.append(process_snapshot);
    table.start_address.append(region.start);
    table.size.append(region.size);
    table.protection.append(region.protection);
    table.protection_text.append(store.strings.intern(protection_text(region.protection)));
    table.file.append(region.file);
    table.pss.append(
        {has_proportional ? region.bytes[MemoryRegion::kProportional] : OptInt::kNull});
    table.private_clean.append({region.bytes[MemoryRegion::kPrivateClean]});  // kUnset is NULL
    table.private_dirty.append({region.bytes[MemoryRegion::kPrivateDirty]});
    table.shared_clean.append({region.bytes[MemoryRegion::kSharedClean]});
    table.shared_dirty.append({region.bytes[MemoryRegion::kSharedDirty]});
    table.swapped.append({region.bytes[MemoryRegion::kSwapped]});
    table.class_path.append(store.strings.intern(
        region_class(region.file ? store.strings.get(region.file) : std::string_view())));
  }
}

}  // namespace tracebraid
