// ApiSite: what the server's own port serves: the viewer, the API, and the WebSocket.
#pragma once

#include <memory>

#include "server/api/access.h"
#include "server/api/api.h"
#include "server/api/pages.h"
#include "server/http/message.h"

namespace tracebraid::api {

class ApiSite final : public http::Site {
 public:
  ApiSite(std::shared_ptr<Api> api, std::shared_ptr<Access> access, std::shared_ptr<Pages> pages)
      : api_(std::move(api)), access_(std::move(access)), pages_(std::move(pages)) {}

  http::Plan plan(const http::Request& request) override;
  http::Response bad_request(unsigned status, std::string_view reason) override;

 private:
  http::Plan plan_api(const http::Request& request, http::Target target);
  http::Plan plan_login();
  http::Plan plan_websocket(const http::Request& request);

  const std::shared_ptr<Api> api_;
  const std::shared_ptr<Access> access_;
  const std::shared_ptr<Pages> pages_;
};

}  // namespace tracebraid::api
