// Pages: the WebSockets of the viewer, and what they watch (spec viewer 3.3).
//
// Input: JSON messages of pages; changes of jobs, queries and traces. Output: JSON messages.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "server/api/api.h"
#include "server/http/message.h"

namespace tracebraid::api {

// Network thread only.
class Pages {
 public:
  explicit Pages(std::shared_ptr<Api> api) : api_(std::move(api)) {}

  std::shared_ptr<http::SocketHandler> open(std::shared_ptr<http::SocketSender> sender);
  // Sends the states of watched jobs and queries that changed. Called ten times a second.
  void tick();
  // Informs all pages and closes their sockets.
  void close(std::string_view reason);

 private:
  class Page;

  const std::shared_ptr<Api> api_;
  std::vector<std::weak_ptr<Page>> pages_;
  std::string traces_;  // the list of traces that pages were informed of
};

}  // namespace tracebraid::api
