// The mutator of proto_fuzz: changes, removes, duplicates and moves fields and corrects the lengths
// around them, so that a change reaches the reader of its packet. Sometimes changes raw bytes, for
// wrong lengths.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using Random = std::minstd_rand;

constexpr size_t kMaxDepth = 24;  // containers of windows nest deeply
constexpr uint8_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

struct Field {
  uint64_t tag = 0;
  uint64_t number = 0;  // value of a varint
  std::string bytes;    // content of other wire types
  uint8_t wire() const { return tag & 7; }
};

size_t any(Random& random, size_t size) { return size == 0 ? 0 : random() % size; }

std::optional<uint64_t> take_varint(std::string_view& text) {
  uint64_t value = 0;
  for (size_t i = 0; i < text.size() && i < 10; ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    value |= static_cast<uint64_t>(byte & 127) << (7 * i);
    if (byte >= 128) continue;
    text.remove_prefix(i + 1);
    return value;
  }
  return {};
}

void put_varint(uint64_t value, std::string& out) {
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  out += static_cast<char>(value);
}

// Returns nothing if the text is no message.
std::optional<std::vector<Field>> parse(std::string_view text) {
  std::vector<Field> fields;
  while (!text.empty()) {
    const std::optional<uint64_t> tag = take_varint(text);
    if (!tag || *tag >> 3 == 0) return {};
    Field field{.tag = *tag, .number = 0, .bytes = {}};
    size_t size = field.wire() == kFixed64 ? 8 : 4;
    if (field.wire() == kVarint || field.wire() == kBytes) {
      const std::optional<uint64_t> value = take_varint(text);
      if (!value) return {};
      field.number = size = *value;
    } else if (field.wire() != kFixed64 && field.wire() != kFixed32) {
      return {};
    }
    if (field.wire() != kVarint) {
      if (size > text.size()) return {};
      field.bytes = text.substr(0, size);
      text.remove_prefix(size);
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::string written(const std::vector<Field>& fields) {
  std::string out;
  for (const Field& field : fields) {
    put_varint(field.tag, out);
    if (field.wire() == kVarint) put_varint(field.number, out);
    if (field.wire() == kBytes) put_varint(field.bytes.size(), out);
    out += field.bytes;
  }
  return out;
}

uint64_t odd_number(Random& random, uint64_t old) {
  constexpr uint64_t kOdd[] = {
      0,          1,     2,    4095,        4096, 0x7fffffff, 0x80000000,
      0xffffffff, 1000,  1024, UINT64_MAX,  63,   INT64_MAX,  64,
      65536,      10000, 3,    1ULL << 63U, 128,  512,        UINT32_MAX - 1};
  switch (random() % 4) {
    case 0:
      return kOdd[any(random, std::size(kOdd))];
    case 1:
      return old + random() % 3 - 1;
    case 2:
      return old ^ 1ULL << random() % 64;
    default:
      return random() % 16;
  }
}

void change_bytes(std::string& bytes, Random& random) {
  const size_t size = bytes.size();
  bytes.resize(size + 1 + random() % 8);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size, bytes.size()));
}

void change(std::vector<Field>& fields, Random& random, size_t depth) {
  if (fields.empty()) return;
  const size_t at = any(random, fields.size());
  Field& field = fields[at];
  // Nested messages first, because most data is in the leaves.
  if (field.wire() == kBytes && depth < kMaxDepth && random() % 8 != 0) {
    if (std::optional<std::vector<Field>> inner = parse(field.bytes); inner && !inner->empty()) {
      change(*inner, random, depth + 1);
      field.bytes = written(*inner);
      return;
    }
  }
  switch (random() % 8) {
    case 0:
      fields.erase(fields.begin() + static_cast<ptrdiff_t>(at));
      return;
    case 1:
      fields.insert(fields.begin() + static_cast<ptrdiff_t>(any(random, fields.size() + 1)),
                    Field(field));
      return;
    case 2:
      std::swap(field, fields[any(random, fields.size())]);
      return;
    case 3:  // another field of the same wire type
      field.tag = (1 + random() % 140) << 3 | field.wire();
      return;
    default:
      if (field.wire() == kVarint)
        field.number = odd_number(random, field.number);
      else if (field.wire() == kBytes)
        change_bytes(field.bytes, random);
      else if (!field.bytes.empty())
        LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(field.bytes.data()), field.bytes.size(),
                         field.bytes.size());
      return;
  }
}

size_t put(const std::string& text, uint8_t* out, size_t max_size) {
  const size_t size = std::min(text.size(), max_size);
  std::memcpy(out, text.data(), size);
  return size;
}

std::string_view view(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  Random random(seed + 1);
  std::optional<std::vector<Field>> packets = parse(view(data, size));
  if (!packets || packets->empty() || random() % 32 == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  for (uint64_t times = 1 + random() % 3; times > 0; --times) change(*packets, random, 0);
  return put(written(*packets), data, max_size);
}

// Merges the packets of both inputs, in the order of each.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2, uint8_t* out,
                                            size_t max_size, unsigned seed) {
  Random random(seed + 1);
  const std::optional<std::vector<Field>> first = parse(view(data1, size1));
  const std::optional<std::vector<Field>> second = parse(view(data2, size2));
  if (!first || !second) return 0;
  std::vector<Field> both;
  for (size_t i = 0, k = 0; i < first->size() || k < second->size();) {
    const bool is_first = k == second->size() || (i < first->size() && random() % 2 == 0);
    both.push_back(is_first ? (*first)[i++] : (*second)[k++]);
  }
  return put(written(both), out, max_size);
}
