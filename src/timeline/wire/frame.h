// Frames: answers with tiles as bytes (spec viewer C.1).
//
// In: a head, then columns in the order of the kind. Out: bytes, little-endian, each column at a
// multiple of 8. Called by timeline/tiles.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid::timeline {

enum class FrameKind : uint16_t {
  Slices = 1,
  Counter = 2,
  Marks = 3,
  Stacked = 4,
  Flows = 5,
  Summary = 6,
  Hits = 7,
};

namespace frame_flags {
inline constexpr uint8_t kIncomplete = 1, kCut = 2, kCold = 4, kCoarser = 8;
}
namespace item_flags {
inline constexpr uint8_t kDense = 1, kInstant = 2, kUnfinished = 4, kBefore = 8, kGoesOn = 16,
                         kFlows = 32, kCut = 64, kCpuTime = 128;
}

struct FrameHead {
  FrameKind kind{};
  uint32_t request = 0, track = 0, generation = 0;
  uint8_t level = 0, flags = 0;
  uint16_t lines = 0;
  int64_t first = 0;
  uint32_t tiles = 0, items = 0;
};
inline constexpr size_t kFrameHeadBytes = 40;

class FrameWriter {
 public:
  explicit FrameWriter(const FrameHead& head);

  template <class T>
  void column(std::span<const T> values) {
    static_assert(std::endian::native == std::endian::little);
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
  }
  template <class T>
  void column(const std::vector<T>& values) {
    column(std::span<const T>(values));
  }
  // Appends a column of zeros. Valid until the frame grows beyond what is reserved.
  template <class T>
  std::span<T> empty_column(size_t size) {
    const size_t at = bytes_.size();
    bytes_.resize(at + (size * sizeof(T) + 7) / 8 * 8);
    return {reinterpret_cast<T*>(bytes_.data() + at), size};
  }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  std::string finish() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Sets the numbers of the request in a finished frame. Clears the flag kCold if the frame was kept.
void set_request(std::string& frame, uint32_t request, uint32_t generation, bool was_kept);
// Returns whether a finished frame has the flag kIncomplete.
bool is_incomplete(const std::string& frame);

// Returns the size of the frame at the beginning of `bytes`; 0 if it is malformed: cut, of another
// version or an unknown kind, or with more items than the bytes hold.
size_t frame_size(std::string_view bytes);

}  // namespace tracebraid::timeline
