#include "capi/parameters.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>

namespace tracebraid::capi {
namespace {

template <class T>
T value_at(const ArrowArray& array, int64_t row, size_t buffer = 1) {
  T value;
  std::memcpy(&value, static_cast<const char*>(array.buffers[buffer]) + row * int64_t{sizeof(T)},
              sizeof value);
  return value;
}

bool is_null(const ArrowArray& array, int64_t row) {
  const auto* validity = static_cast<const uint8_t*>(array.buffers[0]);
  return validity != nullptr && (validity[row / 8] >> row % 8 & 1) == 0;
}

template <class Offset>
std::string text_at(const ArrowArray& array, int64_t row) {
  const Offset begin = value_at<Offset>(array, row), end = value_at<Offset>(array, row + 1);
  if (end <= begin) return {};
  return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<size_t>(end - begin)};
}

Parameter integer(std::string name, int64_t value) {
  return {.name = std::move(name), .kind = Cell::Kind::Int, .integer = value};
}

// The number of buffers that a format of one letter needs.
int64_t buffers_of(char format) {
  switch (format) {
    case 'n':
      return 0;
    case 'u':
    case 'U':
    case 'z':
    case 'Z':
      return 3;
    default:
      return 2;
  }
}

Result<Parameter> import_value(const ArrowArray& array, int64_t row, std::string_view format,
                               std::string name) {
  const Error no_type{
      ErrorCode::Usage,
      fmt::format("parameter '{}': values of the Arrow format '{}' cannot be bound", name, format)};
  if (format.size() != 1) return tl::unexpected(no_type);
  if (array.n_buffers != buffers_of(format[0]) || array.length <= row - array.offset)
    return fail(ErrorCode::Usage, fmt::format("parameter '{}': the array is not valid", name));
  if (format == "n" || is_null(array, row)) return Parameter{.name = std::move(name)};
  switch (format[0]) {
    case 'b':
      return integer(std::move(name),
                     static_cast<const uint8_t*>(array.buffers[1])[row / 8] >> row % 8 & 1);
    case 'c':
      return integer(std::move(name), value_at<int8_t>(array, row));
    case 'C':
      return integer(std::move(name), value_at<uint8_t>(array, row));
    case 's':
      return integer(std::move(name), value_at<int16_t>(array, row));
    case 'S':
      return integer(std::move(name), value_at<uint16_t>(array, row));
    case 'i':
      return integer(std::move(name), value_at<int32_t>(array, row));
    case 'I':
      return integer(std::move(name), value_at<uint32_t>(array, row));
    case 'l':
      return integer(std::move(name), value_at<int64_t>(array, row));
    case 'L': {
      const auto value = value_at<uint64_t>(array, row);
      if (value > INT64_MAX)
        return fail(ErrorCode::Usage,
                    fmt::format("parameter '{}': {} does not fit into 64 bits", name, value));
      return integer(std::move(name), static_cast<int64_t>(value));
    }
    case 'f':
      return Parameter{
          .name = std::move(name), .kind = Cell::Kind::Real, .real = value_at<float>(array, row)};
    case 'g':
      return Parameter{
          .name = std::move(name), .kind = Cell::Kind::Real, .real = value_at<double>(array, row)};
    case 'u':
    case 'z':
      return Parameter{.name = std::move(name),
                       .kind = format == "u" ? Cell::Kind::Text : Cell::Kind::Blob,
                       .text = text_at<int32_t>(array, row)};
    case 'U':
    case 'Z':
      return Parameter{.name = std::move(name),
                       .kind = format == "U" ? Cell::Kind::Text : Cell::Kind::Blob,
                       .text = text_at<int64_t>(array, row)};
    default:
      return tl::unexpected(no_type);
  }
}

}  // namespace

Result<std::vector<Parameter>> import_parameters(const ArrowArray* array,
                                                 const ArrowSchema* schema) {
  std::vector<Parameter> parameters;
  if (array == nullptr && schema == nullptr) return parameters;
  if (array == nullptr || schema == nullptr || array->release == nullptr ||
      schema->release == nullptr)
    return fail(ErrorCode::Usage, "params: give an array and its schema, which are not released");
  if (std::string_view(schema->format) != "+s" || array->length != 1 ||
      array->n_children != schema->n_children)
    return fail(ErrorCode::Usage, "params: give a struct array of one row");
  for (int64_t i = 0; i < schema->n_children; ++i) {
    const ArrowSchema& field = *schema->children[i];
    const ArrowArray& values = *array->children[i];
    std::string name = field.name == nullptr ? "" : field.name;
    TB_TRY_ASSIGN(Parameter parameter, import_value(values, values.offset + array->offset,
                                                    field.format, std::move(name)));
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

}  // namespace tracebraid::capi
