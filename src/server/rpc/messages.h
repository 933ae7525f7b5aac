// The requests of RPC (spec viewer 4.3) as structs, and short answers as messages.
//
// Input: bytes of a message. Output: its known fields; unknown ones and those behind malformed
// bytes are skipped. Called by the endpoints and by connections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/proto_wire.h"

namespace tracebraid::rpc {

// Returns the value of a field that is a varint; 0 if the field has another wire type.
uint64_t varint_of(const proto::Message& field);

// QueryArgs and StatementArgs. Texts borrow from the message.
struct QueryArgs {
  std::string_view sql;
  uint32_t start_offset = 0;
};
QueryArgs parse_query_args(std::string_view message);
QueryArgs parse_statement_args(std::string_view message);

enum class ExportFormat : uint32_t { None = 0, Perfetto = 1, ArrowTar = 2, Sqlite = 3 };
// Returns None for a format that is missing or unknown.
ExportFormat parse_export_args(std::string_view message);

struct ResetArgs {
  std::optional<bool> ftrace_in_raw;
  std::vector<std::string> descriptor_sets;
};
ResetArgs parse_reset_args(std::string_view message);

struct PackageModule {
  std::string name, sql;
};
struct RegisterPackageArgs {
  std::string name;
  std::vector<PackageModule> modules;
  bool allows_override = false;
};
RegisterPackageArgs parse_register_package_args(std::string_view message);

// Returns a message with the error in this field, or without fields if it is empty.
std::string error_message(uint32_t field, std::string_view error);

// The fields of errors.
inline constexpr uint32_t kAppendError = 2, kFinalizeError = 1, kMetricError = 2,
                          kMetatraceError = 2, kRegisterError = 1, kSummaryError = 3;

std::string append_result(int64_t total_bytes, std::string_view error);
std::string status_result(std::string_view loaded_trace);

inline constexpr std::string_view kNoMetrics =
    "tracebraid computes no metrics and no summaries; run SQL instead";
inline constexpr std::string_view kFieldNotSet = "RPC error: request field not set";

}  // namespace tracebraid::rpc
