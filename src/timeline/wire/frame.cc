#include "timeline/wire/frame.h"

#include <cstddef>
#include <cstring>

namespace tracebraid::timeline {
namespace {

constexpr char kMagic[] = {'T', 'B', 'T', '1'};
constexpr uint16_t kVersion = 1;

struct [[gnu::packed]] PackedHead {
  char magic[4];
  uint16_t version, kind;
  uint32_t request, track, generation;
  uint8_t level, flags;
  uint16_t lines;
  int64_t first;
  uint32_t tiles, items;
};
static_assert(sizeof(PackedHead) == kFrameHeadBytes);

constexpr uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

uint32_t u32_at(std::string_view frame, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, frame.data() + at, sizeof value);
  return value;
}

}  // namespace

FrameWriter::FrameWriter(const FrameHead& head) {
  PackedHead packed{{},           kVersion,   static_cast<uint16_t>(head.kind),
                    head.request, head.track, head.generation,
                    head.level,   head.flags, head.lines,
                    head.first,   head.tiles, head.items};
  std::memcpy(packed.magic, kMagic, sizeof kMagic);
  bytes_.assign(reinterpret_cast<const char*>(&packed), sizeof packed);
}

void set_request(std::string& frame, uint32_t request, uint32_t generation, bool was_kept) {
  std::memcpy(frame.data() + offsetof(PackedHead, request), &request, sizeof request);
  std::memcpy(frame.data() + offsetof(PackedHead, generation), &generation, sizeof generation);
  char& flags = frame[offsetof(PackedHead, flags)];
  if (was_kept) flags = static_cast<char>(flags & ~frame_flags::kCold);
}

bool is_incomplete(const std::string& frame) {
  return (frame[offsetof(PackedHead, flags)] & frame_flags::kIncomplete) != 0;
}

size_t frame_size(std::string_view frame) {
  if (frame.size() < kFrameHeadBytes) return 0;
  PackedHead head;
  std::memcpy(&head, frame.data(), sizeof head);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.version != kVersion) return 0;
  const uint64_t n = head.items, lines = head.lines;
  uint64_t size = kFrameHeadBytes;
  switch (static_cast<FrameKind>(head.kind)) {
    case FrameKind::Slices:
      size += 6 * padded(4 * n) + padded(2 * n) + 2 * padded(n);
      break;
    case FrameKind::Counter:
      size += 24 + 2 * padded(4 * n) + 3 * 8 * n;
      break;
    case FrameKind::Marks:
    case FrameKind::Hits:
      size += 3 * padded(4 * n) + padded(n);
      break;
    case FrameKind::Stacked:
      size += padded(4 * lines) + 8 * lines + padded(4 * n) + 2 * 8 * n + 8 * n * lines;
      break;
    case FrameKind::Flows:
      size += 8 + 4 * padded(4 * n) + 2 * padded(2 * n) + 2 * 8 * n + padded(n);
      break;
    case FrameKind::Summary: {
      if (frame.size() < kFrameHeadBytes + 4) return 0;
      const uint64_t names = u32_at(frame, kFrameHeadBytes);
      if (names > 8) return 0;
      size += 8 + padded(4 * names) + padded(4 * n) + padded(n * names);
      break;
    }
    default:
      return 0;
  }
  return size <= frame.size() ? static_cast<size_t>(size) : 0;
}

}  // namespace tracebraid::timeline
