#include "format/proto/text_format.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "format/proto/wire.h"

namespace tracebraid::proto {
namespace {

constexpr int kMaxDepth = 32;

class TextWriter {
 public:
  TextWriter(DescriptorPool& pool, size_t most) : pool_(pool), most_(most) {}

  void add_message(std::string_view type, std::string_view message, int depth) {
    for (Message fields(message); fields.next() && text_.size() < most_;)
      if (const FieldDescriptor* field = pool_.field(type, fields.number()))
        add_field(*field, fields, depth);
  }

  std::string take() && { return std::move(text_); }

 private:
  void add_field(const FieldDescriptor& field, const Message& value, int depth) {
    switch (field.type) {
      case FieldType::String:
      case FieldType::Bytes:
        start(field, depth) += ": ";
        add_quoted(value.bytes());
        return;
      case FieldType::Message:
        if (depth >= kMaxDepth) return;
        start(field, depth) += ": {";
        add_message(field.type_name, value.bytes(), depth + 1);
        start_line(depth) += '}';
        return;
      default:
        break;
    }
    if (value.wire() != Wire::Bytes) {
      start(field, depth) += ": ";
      add_number(field, value.u64());
    } else if (is_varint(field.type)) {
      for_each_varint(value, [&](uint64_t bits) {
        start(field, depth) += ": ";
        add_number(field, bits);
      });
    }
  }

  static bool is_varint(FieldType type) {
    using enum FieldType;
    return type != Double && type != Float && type != Fixed32 && type != Fixed64 &&
           type != Sfixed32 && type != Sfixed64;
  }

  void add_number(const FieldDescriptor& field, uint64_t bits) {
    const auto number = static_cast<int64_t>(bits);
    const auto out = std::back_inserter(text_);
    switch (field.type) {
      case FieldType::Double:
        fmt::format_to(out, "{:f}", std::bit_cast<double>(bits));
        break;
      case FieldType::Float:
        fmt::format_to(out, "{:f}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
        break;
      case FieldType::Bool:
        text_ += bits != 0 ? "true" : "false";
        break;
      case FieldType::Enum: {
        const std::string_view name =
            pool_.enum_name(field.type_name, static_cast<int32_t>(number));
        if (name.empty())
          fmt::format_to(out, "{}", static_cast<int32_t>(number));
        else
          text_ += name;
        break;
      }
      case FieldType::Uint32:
      case FieldType::Fixed32:
        fmt::format_to(out, "{}", static_cast<uint32_t>(bits));
        break;
      case FieldType::Uint64:
      case FieldType::Fixed64:
        fmt::format_to(out, "{}", bits);
        break;
      case FieldType::Sint32:
      case FieldType::Sint64:
        fmt::format_to(out, "{}", static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1)));
        break;
      case FieldType::Int32:
      case FieldType::Sfixed32:
        fmt::format_to(out, "{}", static_cast<int32_t>(number));
        break;
      default:
        fmt::format_to(out, "{}", number);
        break;
    }
  }

  void add_quoted(std::string_view bytes) {
    text_ += '"';
    for (const char c : bytes.substr(0, most_)) {
      if (c == '"' || c == '\\') text_ += '\\';
      if (c == '\n')
        text_ += "\\n";
      else if (static_cast<unsigned char>(c) < ' ')
        fmt::format_to(std::back_inserter(text_), "\\{:03o}", static_cast<unsigned char>(c));
      else
        text_ += c;
    }
    text_ += '"';
  }

  std::string& start_line(int depth) {
    if (!text_.empty()) text_ += '\n';
    return text_.append(static_cast<size_t>(depth) * 2, ' ');
  }
  std::string& start(const FieldDescriptor& field, int depth) {
    return start_line(depth) += field.name;
  }

  DescriptorPool& pool_;
  size_t most_;
  std::string text_;
};

}  // namespace

std::string text_of(DescriptorPool& pool, std::string_view type, std::string_view message) {
  constexpr size_t kSmall = 1 << 16, kFactor = 8;
  TextWriter writer(pool, kSmall + kFactor * message.size());
  writer.add_message(type, message, 0);
  return std::move(writer).take();
}

}  // namespace tracebraid::proto
