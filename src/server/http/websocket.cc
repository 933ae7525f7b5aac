// One WebSocket, without compression: passes messages to its SocketHandler.
#include <algorithm>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <utility>

#include "server/http/beast.h"
#include "server/http/send_queue.h"

namespace tracebraid::http {
namespace {

// A client that has so much unsent is dropped.
constexpr size_t kMostUnsent = size_t{64} << 20;
constexpr size_t kMostReason = 120;  // bytes of the reason in a close frame

class WebSocket final : public Listed,
                        public SocketSender,
                        public std::enable_shared_from_this<WebSocket> {
 public:
  WebSocket(Network& network, TcpStream stream, const Plan& plan)
      : network_(network),
        counted_(network),
        socket_(std::move(stream)),
        timer_(network.context),
        most_frame_(plan.most_frame) {}

  void accept(const ParsedRequest& request, const Plan& plan);

  void drop() override {
    timer_.cancel();
    queue_.fail();
    beast::get_lowest_layer(socket_).close();
    if (const auto handler = std::exchange(handler_, nullptr)) handler->on_closed();
  }
  int spare() const override { return 0; }

  void send(std::string bytes, bool is_text) override {
    if (queue_.push(std::move(bytes), is_text)) post(&WebSocket::write);
  }
  bool wait_until_sent(size_t most) override { return queue_.wait_until(most); }
  void read_next() override { post(&WebSocket::read); }
  void close(uint16_t code, std::string reason) override {
    reason.resize(std::min(reason.size(), kMostReason));
    asio::post(network_.context, [me = shared_from_this(), code, reason = std::move(reason)] {
      me->reason_.code = code;
      me->reason_.reason.assign(reason.data(), reason.size());
      me->is_closing_ = true;
      me->write();
    });
  }

 private:
  void post(void (WebSocket::*function)()) {
    asio::post(network_.context, [me = shared_from_this(), function] { (me.get()->*function)(); });
  }
  void read();
  void write();
  void tick();
  bool is_stuck() const {
    return is_writing_ &&
           Clock::now() - write_began_ >
               network_.limits.piece_time + std::chrono::seconds(message_.bytes.size() >> 20);
  }

  Network& network_;
  const Counted counted_;
  beast::websocket::stream<TcpStream> socket_;
  asio::steady_timer timer_;
  const size_t most_frame_;
  std::shared_ptr<SocketHandler> handler_;
  beast::flat_buffer buffer_;
  SendQueue queue_;
  SendQueue::Message message_;  // that is being written
  bool is_reading_ = false, is_writing_ = false, is_pinging_ = false, is_closing_ = false;
  beast::websocket::close_reason reason_;
  Clock::time_point heard_ = Clock::now(), write_began_ = heard_;
};

void WebSocket::accept(const ParsedRequest& request, const Plan& plan) {
  beast::get_lowest_layer(socket_).expires_never();
  // tick() sends the pings, because Beast derives their period from the time of silence.
  socket_.set_option(beast::websocket::stream_base::timeout{
      network_.limits.header_time, beast::websocket::stream_base::none(), false});
  socket_.set_option(beast::websocket::stream_base::decorator(
      [subprotocol = plan.subprotocol](beast::websocket::response_type& response) {
        if (!subprotocol.empty())
          response.set(beast::http::field::sec_websocket_protocol, subprotocol);
      }));
  socket_.control_callback(
      [this](beast::websocket::frame_type, beast::string_view) { heard_ = Clock::now(); });
  socket_.read_message_max(most_frame_);
  socket_.auto_fragment(false);  // messages have a bounded size
  socket_.async_accept(request, [me = shared_from_this(), make = plan.upgrade](AsioError error) {
    if (error) return me->drop();
    me->handler_ = make(me);
    me->tick();
    me->read();
  });
}

void WebSocket::read() {
  if (is_reading_ || is_closing_ || handler_ == nullptr) return;
  is_reading_ = true;
  socket_.async_read(buffer_, [me = shared_from_this()](AsioError error, size_t) {
    me->is_reading_ = false;
    if (error) return me->drop();
    me->heard_ = Clock::now();
    std::string bytes = beast::buffers_to_string(me->buffer_.data());
    me->buffer_.clear();
    me->buffer_.shrink_to_fit();
    if (const auto handler = me->handler_)
      handler->on_message(std::move(bytes), me->socket_.got_text());
  });
}

void WebSocket::write() {
  if (handler_ == nullptr) return;
  if (queue_.unsent() > kMostUnsent) return drop();  // also while the client does not read
  if (is_writing_) return;
  write_began_ = Clock::now();
  if (!queue_.pull(message_)) {
    if (!is_closing_) return;
    is_writing_ = true;
    return socket_.async_close(reason_, [me = shared_from_this()](AsioError) { me->drop(); });
  }
  is_writing_ = true;
  socket_.text(message_.is_text);
  socket_.async_write(asio::buffer(message_.bytes),
                      [me = shared_from_this()](AsioError error, size_t) {
                        me->is_writing_ = false;
                        error ? me->drop() : me->write();
                      });
}

// Sends a ping, and ends a connection that is silent, or that sends but reads nothing.
void WebSocket::tick() {
  if (is_stuck() || Clock::now() - heard_ > network_.limits.silence_time) return drop();
  if (!is_pinging_ && !is_closing_) {
    is_pinging_ = true;
    socket_.async_ping({}, [me = shared_from_this()](AsioError) { me->is_pinging_ = false; });
  }
  timer_.expires_after(network_.limits.ping_time);
  timer_.async_wait([me = shared_from_this()](AsioError error) {
    if (!error && me->handler_ != nullptr) me->tick();
  });
}

}  // namespace

void serve_websocket(Network& network, TcpStream stream, const ParsedRequest& request,
                     const Plan& plan) {
  const auto socket = std::make_shared<WebSocket>(network, std::move(stream), plan);
  network.listed.push_back(socket);
  socket->accept(request, plan);
}

}  // namespace tracebraid::http
