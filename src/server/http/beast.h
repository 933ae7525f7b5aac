// The types of Beast that http_connection.cc and websocket.cc share. For these two files only.
#pragma once

#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/message.hpp>

#include "server/http/network.h"

namespace tracebraid::http {

namespace beast = boost::beast;
using TcpStream = beast::basic_stream<asio::ip::tcp, asio::io_context::executor_type>;
using ParsedRequest = beast::http::request<beast::http::buffer_body>;

// Answers the request for an upgrade and serves the WebSocket.
void serve_websocket(Network& network, TcpStream stream, const ParsedRequest& request,
                     const Plan& plan);

}  // namespace tracebraid::http
