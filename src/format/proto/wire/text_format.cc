#include "format/proto/wire/text_format.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "format/common/proto_wire.h"

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
    if (is_number(field.type)) {
      for_each_number(field.type, value, [&](uint64_t bits) {
        start(field, depth) += ": ";
        add_number(field, bits);
      });
    } else if (field.type != FieldType::Message) {
      start(field, depth) += ": ";
      add_quoted(value.bytes());
    } else if (depth < kMaxDepth) {
      start(field, depth) += ": {";
      add_message(field.type_name, value.bytes(), depth + 1);
      start_line(depth) += '}';
    }
  }

  void add_number(const FieldDescriptor& field, uint64_t bits) {
    const auto [type, value] = number_of(field.type, bits);
    const std::string_view name =
        field.type == FieldType::Enum ? pool_.enum_name(field.type_name, value) : "";
    const auto out = std::back_inserter(text_);
    if (!name.empty())
      text_ += name;
    else if (type == ArgType::Bool)
      text_ += value != 0 ? "true" : "false";
    else if (type == ArgType::Real)
      fmt::format_to(out, "{:f}", std::bit_cast<double>(value));
    else if (type == ArgType::Uint)
      fmt::format_to(out, "{}", static_cast<uint64_t>(value));
    else
      fmt::format_to(out, "{}", value);
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
