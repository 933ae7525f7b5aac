#include "server/rpc/messages.h"

#include <fmt/format.h>

#include "engine/engine.h"
#include "server/rpc/proto_writer.h"

namespace tracebraid::rpc {

uint64_t varint_of(const proto::Message& field) {
  return field.wire() == proto::Wire::Varint ? field.u64() : 0;
}

QueryArgs parse_query_args(std::string_view message) {
  QueryArgs args;
  for (proto::Message field(message); field.next();)
    if (field.number() == 1) args.sql = field.bytes();
  return args;
}

QueryArgs parse_statement_args(std::string_view message) {
  QueryArgs args;
  for (proto::Message field(message); field.next();) {
    if (field.number() == 1) args.sql = field.bytes();
    if (field.number() == 2) args.start_offset = static_cast<uint32_t>(varint_of(field));
  }
  return args;
}

ExportFormat parse_export_args(std::string_view message) {
  uint64_t format = 0;
  for (proto::Message field(message); field.next();)
    if (field.number() == 1) format = varint_of(field);
  return format <= 3 ? static_cast<ExportFormat>(format) : ExportFormat::None;
}

ResetArgs parse_reset_args(std::string_view message) {
  ResetArgs args;
  for (proto::Message field(message); field.next();) {
    if (field.number() == 2) args.ftrace_in_raw = varint_of(field) != 0;
    if (field.number() == 7) args.descriptor_sets.emplace_back(field.bytes());
  }
  return args;
}

RegisterPackageArgs parse_register_package_args(std::string_view message) {
  RegisterPackageArgs args;
  for (proto::Message field(message); field.next();) {
    if (field.number() == 1) args.name = field.bytes();
    if (field.number() == 3) args.allows_override = varint_of(field) != 0;
    if (field.number() != 2) continue;
    PackageModule& module = args.modules.emplace_back();
    for (proto::Message part(field.bytes()); part.next();) {
      if (part.number() == 1) module.name = part.bytes();
      if (part.number() == 2) module.sql = part.bytes();
    }
  }
  return args;
}

std::string error_message(uint32_t field, std::string_view error) {
  std::string message;
  if (!error.empty()) append_bytes(message, field, error);
  return message;
}

std::string append_result(int64_t total_bytes, std::string_view error) {
  std::string message;
  append_int(message, 1, total_bytes);
  if (!error.empty()) append_bytes(message, kAppendError, error);
  return message;
}

std::string status_result(std::string_view loaded_trace) {
  constexpr int64_t kApiVersion = 14;
  std::string message;
  append_bytes(message, 1, loaded_trace);
  append_bytes(message, 2, fmt::format("tracebraid {}", version()));
  append_int(message, 3, kApiVersion);
  append_bytes(message, 4, version());
  return message;
}

}  // namespace tracebraid::rpc
