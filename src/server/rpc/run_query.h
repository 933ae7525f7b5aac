// Runs statements for RPC (spec viewer 4.4).
#pragma once

#include <string_view>

#include "server/rpc/message_writer.h"
#include "server/rpc/service.h"

namespace tracebraid::rpc {

// Runs all statements and writes the rows of the last one.
void run_query(RpcService& service, std::string_view sql, MessageWriter& to,
               const StopPointer& gone);
// Runs the statement at this byte of the text, after its U+00A0 became blanks.
void run_statement(RpcService& service, std::string_view sql, uint32_t start_offset,
                   MessageWriter& to, const StopPointer& gone);
// Writes a result that is only an error.
void write_error(std::string_view error, MessageWriter& to);

}  // namespace tracebraid::rpc
