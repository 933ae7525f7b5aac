// FNV-1a: a hash of 64 bits that is the same in each run and on each machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid {

class Fnv1a {
 public:
  constexpr Fnv1a& add(std::string_view bytes) {
    for (const char c : bytes) add_byte(static_cast<uint8_t>(c));
    return *this;
  }
  // Adds the 8 bytes of a number, lowest first.
  constexpr Fnv1a& add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<uint8_t>(number >> shift));
    return *this;
  }
  constexpr uint64_t value() const { return hash_; }

 private:
  constexpr void add_byte(uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }

  uint64_t hash_ = 0xcbf29ce484222325;
};

constexpr uint64_t fnv1a(std::string_view bytes) { return Fnv1a().add(bytes).value(); }

}  // namespace tracebraid
