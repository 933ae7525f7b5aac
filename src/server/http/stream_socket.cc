#include "server/http/stream_socket.h"

#include <boost/asio/write.hpp>
#include <utility>

#include "server/http/send_queue.h"

namespace tracebraid::http {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;

class StreamSocket final : public Listed,
                           public SocketSender,
                           public std::enable_shared_from_this<StreamSocket> {
 public:
  StreamSocket(Network& network, LocalSocket socket)
      : network_(network), counted_(network), socket_(std::move(socket)), timer_(network.context) {}

  void start(const MakeSocketHandler& make) {
    handler_ = make(shared_from_this());
    read();
  }

  void drop() override {
    AsioError ignored;
    timer_.cancel();
    queue_.fail();
    socket_.close(ignored);
    if (const auto handler = std::exchange(handler_, nullptr)) handler->on_closed();
  }
  int spare() const override { return 0; }

  void send(std::string bytes, bool is_text) override {
    if (queue_.push(std::move(bytes), is_text)) post(&StreamSocket::write);
  }
  bool wait_until_sent(size_t most) override { return queue_.wait_until(most); }
  void read_next() override { post(&StreamSocket::read); }
  void close(uint16_t /*code*/, std::string /*reason*/) override {
    asio::post(network_.context, [me = shared_from_this()] {
      me->is_closing_ = true;
      me->write();
    });
  }

 private:
  void post(void (StreamSocket::*function)()) {
    asio::post(network_.context, [me = shared_from_this(), function] { (me.get()->*function)(); });
  }
  void read();
  void write();

  Network& network_;
  const Counted counted_;
  LocalSocket socket_;
  asio::steady_timer timer_;
  std::shared_ptr<SocketHandler> handler_;
  SendQueue queue_;
  SendQueue::Message message_;
  std::string piece_;
  bool is_reading_ = false, is_writing_ = false, is_closing_ = false;
};

void StreamSocket::read() {
  if (is_reading_ || is_closing_ || handler_ == nullptr) return;
  is_reading_ = true;
  piece_.resize(kPieceBytes);
  socket_.async_read_some(asio::buffer(piece_),
                          [me = shared_from_this()](AsioError error, size_t bytes) {
                            me->is_reading_ = false;
                            if (error) return me->drop();
                            me->piece_.resize(bytes);
                            if (const auto handler = me->handler_)
                              handler->on_message(std::exchange(me->piece_, {}), false);
                          });
}

void StreamSocket::write() {
  if (is_writing_ || handler_ == nullptr) return;
  if (!queue_.pull(message_)) {
    if (is_closing_) drop();
    return;
  }
  is_writing_ = true;
  timer_.expires_after(network_.limits.piece_time +
                       std::chrono::seconds(message_.bytes.size() >> 20));
  timer_.async_wait([me = shared_from_this()](AsioError error) {
    if (!error) me->drop();
  });
  asio::async_write(socket_, asio::buffer(message_.bytes),
                    [me = shared_from_this()](AsioError error, size_t) {
                      me->is_writing_ = false;
                      me->timer_.cancel();
                      if (error) return me->drop();
                      me->write();
                    });
}

}  // namespace

void serve_stream(Network& network, LocalSocket socket, const MakeSocketHandler& make) {
  const auto connection = std::make_shared<StreamSocket>(network, std::move(socket));
  network.listed.push_back(connection);
  connection->start(make);
}

}  // namespace tracebraid::http
