// The mutator of proto_fuzz: changes, removes, duplicates and moves fields, adds fields that the
// schema has at that place, and corrects the lengths around them, so that a change reaches the
// reader of its packet. Sometimes changes raw bytes, for wrong lengths.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <span>
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

constexpr int32_t kUnknown = -1, kPacket = 0;  // messages of the schema

// A field of the schema.
struct KnownField {
  uint32_t number;  // 0: the next message begins
  uint8_t wire;
  int32_t message;  // index of its message; kUnknown for other types
};
constexpr KnownField kFields[] = {
#define TB_MESSAGE(name) {0, 0, kUnknown},
#define TB_FIELD(number, wire, message) {number, wire, message},
#include "fuzz/generated/packet_messages.inc"
#undef TB_MESSAGE
#undef TB_FIELD
};

std::vector<std::span<const KnownField>> make_messages() {
  std::vector<std::span<const KnownField>> messages;
  for (size_t at = 0, end = 0; at < std::size(kFields); at = end) {
    for (end = at + 1; end < std::size(kFields) && kFields[end].number != 0;) ++end;
    messages.push_back(std::span(kFields).subspan(at + 1, end - at - 1));
  }
  return messages;
}

std::span<const KnownField> fields_of(int32_t message) {
  static const std::vector<std::span<const KnownField>> messages = make_messages();
  if (message == kUnknown) return {};
  return messages[static_cast<size_t>(message)];
}

const KnownField* find_field(int32_t message, uint64_t number) {
  const std::span<const KnownField> fields = fields_of(message);
  const auto found = std::ranges::find(fields, number, &KnownField::number);
  return found == fields.end() ? nullptr : &*found;
}

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

// Values of the input, for fields that refer to others.
struct Values {
  std::vector<uint64_t> numbers;
  std::vector<std::string> texts;

  void gather(std::string_view message, size_t depth) {
    constexpr size_t kEnough = 256;
    const std::optional<std::vector<Field>> fields = parse(message);
    if (!fields || depth > kMaxDepth) {
      texts.emplace_back(message);
      return;
    }
    for (const Field& field : *fields) {
      if (numbers.size() + texts.size() > kEnough) return;
      if (field.wire() == kVarint) numbers.push_back(field.number);
      if (field.wire() == kBytes) gather(field.bytes, depth + 1);
    }
  }
};

// Makes a field of the schema, with random members of nested messages.
Field make_field(const KnownField& known, const Values& values, Random& random, size_t depth) {
  constexpr size_t kDeepest = 5, kMaxMembers = 5;
  Field field{.tag = uint64_t{known.number} << 3 | known.wire, .number = 0, .bytes = {}};
  if (known.wire == kVarint) {
    const bool is_reference = !values.numbers.empty() && random() % 2 == 0;
    field.number =
        is_reference ? values.numbers[any(random, values.numbers.size())] : odd_number(random, 0);
  } else if (known.wire != kBytes) {
    field.bytes.resize(known.wire == kFixed64 ? 8 : 4);
    for (char& byte : field.bytes) byte = static_cast<char>(random() % 4 == 0 ? random() : 0);
  } else if (const auto members = fields_of(known.message); !members.empty()) {
    std::vector<Field> inner;
    const size_t count = depth < kDeepest ? random() % (kMaxMembers + 1) : 0;
    while (inner.size() < count)
      inner.push_back(make_field(members[any(random, members.size())], values, random, depth + 1));
    field.bytes = written(inner);
  } else if (!values.texts.empty()) {
    field.bytes = values.texts[any(random, values.texts.size())];
  }
  return field;
}

void insert(std::vector<Field>& fields, Field field, Random& random) {
  const size_t at = any(random, fields.size() + 1);
  fields.insert(fields.begin() + static_cast<ptrdiff_t>(at), std::move(field));
}

// Returns another tag of the same wire type, mostly one that the message has.
uint64_t other_tag(uint8_t wire, int32_t message, Random& random) {
  std::vector<uint32_t> numbers;
  for (const KnownField& known : fields_of(message))
    if (known.wire == wire) numbers.push_back(known.number);
  const bool is_known = !numbers.empty() && random() % 4 != 0;
  const uint64_t number = is_known ? numbers[any(random, numbers.size())] : 1 + random() % 140;
  return number << 3 | wire;
}

// `message`: the type of the message with the fields.
void change(std::vector<Field>& fields, int32_t message, const Values& values, Random& random,
            size_t depth) {
  const std::span<const KnownField> known = fields_of(message);
  if (!known.empty() && (fields.empty() || random() % 12 == 0))
    return insert(fields, make_field(known[any(random, known.size())], values, random, depth),
                  random);
  if (fields.empty()) return;
  const size_t at = any(random, fields.size());
  Field& field = fields[at];
  // Nested messages first, because most data is in the leaves.
  if (field.wire() == kBytes && depth < kMaxDepth && random() % 8 != 0) {
    const KnownField* const of = find_field(message, field.tag >> 3);
    const int32_t type = of == nullptr ? kUnknown : of->message;
    std::optional<std::vector<Field>> inner = parse(field.bytes);
    if (inner && (!inner->empty() || type != kUnknown)) {
      change(*inner, type, values, random, depth + 1);
      field.bytes = written(*inner);
      return;
    }
  }
  switch (random() % 8) {
    case 0:
      fields.erase(fields.begin() + static_cast<ptrdiff_t>(at));
      return;
    case 1:
      return insert(fields, Field(field), random);
    case 2:
      std::swap(field, fields[any(random, fields.size())]);
      return;
    case 3:
      field.tag = other_tag(field.wire(), message, random);
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
  Values values;
  for (uint64_t times = 1 + random() % 3; times > 0 && !packets->empty(); --times) {
    Field& packet = (*packets)[any(random, packets->size())];
    std::optional<std::vector<Field>> fields;
    if (packet.wire() == kBytes) fields = parse(packet.bytes);
    if (!fields || random() % 8 == 0) {
      change(*packets, kUnknown, values, random, 0);
      continue;
    }
    if (values.numbers.empty()) values.gather(view(data, size), 0);
    change(*fields, kPacket, values, random, 1);
    packet.bytes = written(*fields);
  }
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
