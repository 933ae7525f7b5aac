// TileSocket: requests of one page for tiles and strings, over its WebSocket (spec viewer 3.3).
//
// In: messages. Out: frames, then "done". Called by Pages.
#pragma once

#include <functional>
#include <memory>

#include "server/api/api.h"
#include "server/api/json_body.h"
#include "server/api/page_tasks.h"

namespace tracebraid::api {

// Network thread only. Threads of the pool answer.
class TileSocket {
 public:
  TileSocket(std::shared_ptr<Api> api, std::shared_ptr<http::SocketSender> sender);
  ~TileSocket();  // ends all requests
  TileSocket(const TileSocket&) = delete;
  TileSocket& operator=(const TileSocket&) = delete;

  // Begins to answer {"op":"tiles"}. Ends the requests of older generations for the same trace.
  // Error Usage for a malformed message.
  Result<> tiles(const JsonValue& message);
  // Begins to answer {"op":"strings"}. Error Usage for a malformed message.
  Result<> strings(const JsonValue& message);
  // Ends a request, which then sends "done". Returns false if it does not run.
  bool cancel(uint32_t id);

 private:
  struct Requests;
  struct Request;
  // Error Usage: too many requests wait.
  Result<> submit(TaskClass priority, std::function<void()> task);
  static void answer(Api& api, http::SocketSender& sender, const Request& request);

  const std::shared_ptr<Api> api_;
  const std::shared_ptr<http::SocketSender> sender_;
  const std::shared_ptr<Requests> requests_;
  const std::shared_ptr<PageTasks> tasks_;
};

}  // namespace tracebraid::api
