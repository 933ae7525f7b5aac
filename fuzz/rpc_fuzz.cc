// Passes any bytes to the endpoints and the streams of RPC. The first byte chooses which, and how
// the bytes of a stream are cut.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "server/rpc/endpoints.h"
#include "server/rpc/service.h"
#include "server/rpc/stream.h"

namespace {

using namespace tracebraid;

rpc::RpcHost host() {
  return {
      .current = [](const rpc::StopPointer&) -> Result<std::shared_ptr<const Trace>> {
        return nullptr;
      },
      .loaded_name = [] { return std::string(); },
      .open = [](rpc::RpcImport, const rpc::StopPointer&) -> Result<std::shared_ptr<const Trace>> {
        return fail(ErrorCode::Usage, "fuzz");
      },
      .engine = *Engine::create({.threads = 1}),
      .spool = *Spool::create("/tmp", uint64_t{1} << 20),
      .query_timeout_s = 1,
      .query_memory = uint64_t{16} << 20};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kPaths[] = {"/query",
                                         "/parse",
                                         "/notify_eof",
                                         "/compute_metric",
                                         "/trace_summary",
                                         "/rpc",
                                         "/enable_metatrace",
                                         "/disable_and_read_metatrace",
                                         "/restore_initial_tables"};
  if (size == 0) return 0;
  static const rpc::StopPointer kNotGone = std::make_shared<Stop>();
  static rpc::RpcService service(host());
  const size_t way = data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  size_t sent = 0;
  const auto send = [&](std::string_view part) {
    sent += part.size();
    return sent < size_t{16} << 20;
  };
  if (way < std::size(kPaths)) {
    const rpc::RpcAnswer made = rpc::answer(service, kPaths[way], bytes, kNotGone);
    TB_ASSERT(made.status == 200);
    if (made.stream) made.stream(send);
    return 0;
  }
  rpc::RpcStream stream(service);
  for (size_t at = 0, piece = way - std::size(kPaths) + 1; at < bytes.size(); at += piece)
    if (!stream.feed(bytes.substr(at, piece), send, kNotGone)) break;
  return 0;
}
