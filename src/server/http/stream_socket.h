// Connections of UNIX sockets. For http/ only.
#pragma once

#include <boost/asio/local/stream_protocol.hpp>

#include "server/http/network.h"

namespace tracebraid::http {

using LocalSocket =
    asio::basic_stream_socket<asio::local::stream_protocol, asio::io_context::executor_type>;

// Serves a socket that was accepted: passes bytes as they arrive to a new SocketHandler.
void serve_stream(Network& network, LocalSocket socket, const MakeSocketHandler& make);

}  // namespace tracebraid::http
