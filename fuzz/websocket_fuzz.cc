// Passes any bytes as messages of a page's WebSocket. Messages are separated by a zero byte.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/server_state.h"
#include "server/api/pages.h"

namespace {

struct Sender final : tracebraid::http::SocketSender {
  size_t sent = 0;
  bool is_closed = false;
  void send(std::string bytes, bool /*is_text*/) override { sent += bytes.size(); }
  bool wait_until_sent(size_t /*most*/) override { return true; }
  void read_next() override {}
  void close(uint16_t /*code*/, std::string /*reason*/) override { is_closed = true; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  static const std::shared_ptr<api::Api> kApi = fuzzed_api();
  static api::Pages pages(kApi);
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto sender = std::make_shared<Sender>();
  const auto page = pages.open(sender);
  while (!text.empty() && !sender->is_closed) {
    const size_t end = std::min(text.find('\0'), text.size());
    page->on_message(std::string(text.substr(0, end)), true);
    pages.tick();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  page->on_closed();
  return 0;
}
