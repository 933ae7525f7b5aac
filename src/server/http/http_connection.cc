// One connection of HTTP/1.1: reads requests, passes each to the site, and sends the answers.
//
// All members are used on the network thread only, except in respond(), which any thread calls.
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>
#include <utility>

#include "base/words.h"
#include "server/http/beast.h"
#include "server/http/response_head.h"
#include "server/http/send_queue.h"

namespace tracebraid::http {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;  // of a body
constexpr size_t kReadBytes = size_t{64} << 10;
constexpr size_t kMostUnsent = size_t{4} << 20;        // of a streamed answer
constexpr uint64_t kSlowestBody = uint64_t{10} << 10;  // bytes a second, on average
constexpr std::chrono::seconds kLingerTime{2};         // for a client to read the last answer
constexpr std::chrono::milliseconds kPollTime{100};    // to see that a client has gone

class HttpConnection final : public Listed,
                             public Responder::Connection,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(Network& network, TcpSocket socket, std::shared_ptr<Site> site)
      : network_(network),
        counted_(network),
        site_(std::move(site)),
        stream_(std::move(socket)),
        poll_(network.context) {}
  ~HttpConnection() override { release_body(); }

  void start() { read_head(); }

  void drop() override {
    if (request_) request_->gone->request();
    if (queue_) queue_->fail();
    poll_.cancel();
    stream_.close();
  }
  int spare() const override { return spare_; }
  void respond(Response response) override;

 private:
  class Writer;

  void wait_for_request();
  void read_head();
  void on_head(AsioError error);
  void take_head();
  void read_body();
  void read_piece();
  void on_piece(AsioError error);
  void take_piece(std::string bytes);
  void give_to_sink(std::string bytes);
  void body_goes_on() { body_is_whole_ ? handle() : read_piece(); }
  void handle();
  void refuse(Response response);
  void release_body() { network_.bodies -= std::exchange(held_, 0); }

  void watch();
  void poll();
  bool is_answering(const std::shared_ptr<Request>& request) const {
    return request_ == request && spare_ == 0;
  }

  void send(Response response);
  void begin_stream(const Response& response, const std::shared_ptr<SendQueue>& queue);
  void end_stream(bool is_whole);
  void send_chunks();
  void after_write(AsioError error);
  void linger();
  void read_and_drop();
  void limit_write(size_t bytes) {
    stream_.expires_after(network_.limits.piece_time +
                          std::chrono::seconds(bytes / (kSlowestBody * 10)));
  }
  bool ends_connection() const { return closes_ || !keep_alive_; }

  Network& network_;
  const Counted counted_;
  const std::shared_ptr<Site> site_;
  TcpStream stream_;
  asio::steady_timer poll_;
  beast::flat_buffer buffer_;
  std::optional<beast::http::request_parser<beast::http::buffer_body>> parser_;
  std::shared_ptr<Request> request_;
  Plan plan_;
  std::string piece_;  // of the body, of which the first `filled_` bytes are read
  size_t filled_ = 0;
  uint64_t held_ = 0;  // of network_.bodies
  Clock::time_point body_start_;
  bool body_is_whole_ = true, keep_alive_ = true, is_version_1_0_ = false, is_head_ = false;
  bool closes_ = false;  // after the answer
  int spare_ = 2;

  // The answer.
  std::string out_head_;  // what is sent before out_
  SendQueue::Message out_;
  std::shared_ptr<SendQueue> queue_;
  bool is_writing_ = false, stream_has_ended_ = false, stream_is_whole_ = false;
};

// Reading

void HttpConnection::wait_for_request() {
  if (buffer_.size() > 0) return read_head();
  spare_ = 1;
  since = Clock::now();
  stream_.expires_after(network_.limits.idle_time);
  stream_.async_read_some(buffer_.prepare(4096),
                          [me = shared_from_this()](AsioError error, size_t bytes) {
                            if (error) return me->drop();
                            me->buffer_.commit(bytes);
                            me->read_head();
                          });
}

void HttpConnection::read_head() {
  release_body();
  parser_.emplace();
  parser_->header_limit(static_cast<uint32_t>(network_.limits.header));
  parser_->body_limit(boost::none);
  request_ = std::make_shared<Request>();
  plan_ = {};
  filled_ = 0;
  closes_ = false;
  if (spare_ != 2) since = Clock::now();
  spare_ = 2;
  stream_.expires_after(network_.limits.header_time);
  beast::http::async_read_header(
      stream_, buffer_, *parser_,
      [me = shared_from_this()](AsioError error, size_t) { me->on_head(error); });
}

void HttpConnection::on_head(AsioError error) {
  if (!error) return take_head();
  if (error.category() != make_error_code(beast::http::error::end_of_stream).category() ||
      error == beast::http::error::end_of_stream || error == beast::http::error::partial_message)
    return drop();
  const bool is_large =
      error == beast::http::error::header_limit || error == beast::http::error::buffer_overflow;
  refuse(is_large ? site_->bad_request(431, "the headers are too large")
                  : site_->bad_request(400, "not a valid HTTP request: " + error.message()));
}

void HttpConnection::refuse(Response response) {
  closes_ = true;
  send(std::move(response));
}

void HttpConnection::take_head() {
  const ParsedRequest& parsed = parser_->get();
  request_->method = std::string(parsed.method_string());
  request_->target = std::string(parsed.target());
  for (const auto& field : parsed) {
    std::string name(field.name_string());
    for (char& c : name) c = lower_case(c);
    request_->headers.push_back({std::move(name), std::string(field.value())});
  }
  request_->is_websocket = beast::websocket::is_upgrade(parsed);
  keep_alive_ = parsed.keep_alive();
  is_version_1_0_ = parsed.version() < 11;
  is_head_ = request_->method == "HEAD";
  body_is_whole_ = parser_->is_done();
  plan_ = site_->plan(*request_);
  if (plan_.refusal) {
    if (!body_is_whole_) closes_ = true;
    return send(*std::move(plan_.refusal));
  }
  if (plan_.upgrade) return serve_websocket(network_, std::move(stream_), parsed, plan_);
  const auto length = parser_->content_length();
  if (length && *length > plan_.most_body) return refuse(std::move(plan_.too_large));
  read_body();
}

void HttpConnection::read_body() {
  body_start_ = Clock::now();
  if (body_is_whole_) return handle();
  if (request_->header("expect") != "100-continue") return read_piece();
  out_head_ = "HTTP/1.1 100 Continue\r\n\r\n";
  limit_write(0);
  asio::async_write(stream_, asio::buffer(out_head_),
                    [me = shared_from_this()](AsioError error, size_t) {
                      error ? me->drop() : me->read_piece();
                    });
}

void HttpConnection::read_piece() {
  if (filled_ == 0) {
    const auto length = parser_->content_length();
    const uint64_t left = length ? *length - request_->body_size : kPieceBytes;
    piece_.resize(static_cast<size_t>(std::clamp<uint64_t>(left, 1, kPieceBytes)));
    buffer_.reserve(std::min(piece_.size(), kReadBytes));  // Beast reads what fits there
  }
  auto& body = parser_->get().body();
  body.data = piece_.data() + filled_;
  body.size = piece_.size() - filled_;
  body.more = true;
  // A client that sends a byte now and then ends, too.
  const auto slowest = body_start_ + 2 * network_.limits.piece_time +
                       std::chrono::seconds(request_->body_size / kSlowestBody);
  stream_.expires_at(std::min(Clock::now() + network_.limits.piece_time, slowest));
  beast::http::async_read_some(
      stream_, buffer_, *parser_,
      [me = shared_from_this()](AsioError error, size_t) { me->on_piece(error); });
}

void HttpConnection::on_piece(AsioError error) {
  if (error == beast::http::error::need_buffer) error = {};
  if (error) {
    const bool is_malformed =
        error.category() == make_error_code(beast::http::error::end_of_stream).category() &&
        error != beast::http::error::partial_message;
    return is_malformed ? refuse(site_->bad_request(400, error.message())) : drop();
  }
  const size_t filled = piece_.size() - parser_->get().body().size;
  request_->body_size += filled - filled_;
  filled_ = filled;
  body_is_whole_ = parser_->is_done();
  if (request_->body_size > plan_.most_body) return refuse(std::move(plan_.too_large));
  if (!body_is_whole_ && filled_ < piece_.size()) return read_piece();
  piece_.resize(std::exchange(filled_, 0));
  take_piece(std::exchange(piece_, {}));
}

void HttpConnection::take_piece(std::string bytes) {
  if (bytes.empty()) return body_goes_on();
  if (plan_.sink) return give_to_sink(std::move(bytes));
  if (network_.bodies + bytes.size() > network_.limits.bodies)
    return refuse(site_->bad_request(507, "the server is receiving too much; try again later"));
  network_.bodies += bytes.size();
  held_ += bytes.size();
  request_->body += bytes;
  body_goes_on();
}

void HttpConnection::give_to_sink(std::string bytes) {
  stream_.expires_never();
  plan_.sink->add(std::move(bytes), [me = shared_from_this()](std::optional<Response> refusal) {
    asio::post(me->network_.context, [me, refusal = std::move(refusal)]() mutable {
      refusal ? me->refuse(*std::move(refusal)) : me->body_goes_on();
    });
  });
}

void HttpConnection::handle() {
  spare_ = 0;
  stream_.expires_never();
  watch();
  plan_.sink = nullptr;
  const auto handle = std::move(plan_.handle);
  handle(request_, Responder(shared_from_this()));
}

// Watching for a client that goes away

void HttpConnection::watch() {
  if (buffer_.size() > 0) return poll();  // the next request is here already
  stream_.socket().async_wait(asio::ip::tcp::socket::wait_read,
                              [me = shared_from_this(), request = request_](AsioError error) {
                                if (error || !me->is_answering(request)) return;
                                char byte = 0;
                                const ssize_t got = ::recv(me->stream_.socket().native_handle(),
                                                           &byte, 1, MSG_PEEK | MSG_DONTWAIT);
                                const bool is_gone =
                                    got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
                                is_gone ? me->drop() : me->poll();
                              });
}

// Asks the system for the state of the connection, because unread bytes hide its end.
void HttpConnection::poll() {
  poll_.expires_after(kPollTime);
  poll_.async_wait([me = shared_from_this(), request = request_](AsioError error) {
    if (error || !me->is_answering(request)) return;
    tcp_info info{};
    socklen_t size = sizeof info;
    const int got =
        ::getsockopt(me->stream_.socket().native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size);
    const bool is_gone =
        got != 0 || info.tcpi_state == TCP_CLOSE_WAIT || info.tcpi_state == TCP_CLOSE;
    is_gone ? me->drop() : me->poll();
  });
}

// Answering

// Sends the chunks of a body from a thread that is not the network's.
class HttpConnection::Writer final : public BodyWriter {
 public:
  Writer(std::shared_ptr<HttpConnection> connection, std::shared_ptr<SendQueue> queue)
      : connection_(std::move(connection)), queue_(std::move(queue)) {}

  bool write(std::string_view bytes) override {
    if (bytes.empty()) return true;
    if (!queue_->push(std::string(bytes), false)) return false;
    asio::post(connection_->network_.context, [me = connection_] { me->send_chunks(); });
    return queue_->wait_until(kMostUnsent);
  }

 private:
  std::shared_ptr<HttpConnection> connection_;
  std::shared_ptr<SendQueue> queue_;
};

void HttpConnection::respond(Response response) {
  const auto write = std::exchange(response.stream, nullptr);
  if (!write) {
    asio::post(network_.context,
               [me = shared_from_this(), response = std::move(response)]() mutable {
                 me->send(std::move(response));
               });
    return;
  }
  const auto queue = std::make_shared<SendQueue>();
  asio::post(network_.context, [me = shared_from_this(), queue, response = std::move(response)] {
    me->begin_stream(response, queue);
  });
  Writer writer(shared_from_this(), queue);
  const bool is_whole = is_head_ || write(writer);
  asio::post(network_.context, [me = shared_from_this(), is_whole] { me->end_stream(is_whole); });
}

void HttpConnection::send(Response response) {
  spare_ = 0;
  if (response.close) closes_ = true;
  if (!stream_.socket().is_open()) return;
  out_.bytes = std::move(response.body);
  const std::string_view body = response.static_body.empty() ? out_.bytes : response.static_body;
  out_head_ = response_head(response, body.size(), ends_connection(), is_version_1_0_);
  limit_write(body.size());
  const std::array<asio::const_buffer, 2> buffers{
      asio::buffer(out_head_), asio::buffer(body.data(), is_head_ ? 0 : body.size())};
  asio::async_write(stream_, buffers,
                    [me = shared_from_this()](AsioError error, size_t) { me->after_write(error); });
}

// The head is sent with the first chunk, if there is one already.
void HttpConnection::begin_stream(const Response& response,
                                  const std::shared_ptr<SendQueue>& queue) {
  if (response.close || is_version_1_0_) closes_ = true;
  queue_ = queue;
  stream_has_ended_ = false;
  if (!stream_.socket().is_open()) return queue_->fail();
  out_head_ = response_head(response, std::nullopt, ends_connection(), is_version_1_0_);
  asio::post(network_.context, [me = shared_from_this()] { me->send_chunks(); });
}

void HttpConnection::end_stream(bool is_whole) {
  stream_has_ended_ = true;
  stream_is_whole_ = is_whole;
  send_chunks();
}

// Sends what is left of the head, the next chunk, and the last chunk if nothing else follows.
void HttpConnection::send_chunks() {
  if (is_writing_ || queue_ == nullptr) return;
  if (!stream_.socket().is_open()) return queue_->fail();
  const bool has_chunk = queue_->pull(out_);
  const bool is_end = stream_has_ended_ && queue_->unsent() == out_.bytes.size();
  if (is_end && !stream_is_whole_ && !has_chunk && out_head_.empty()) return drop();
  if (!has_chunk && !is_end && out_head_.empty()) return;
  std::string_view tail;
  if (!is_version_1_0_ && has_chunk) {
    out_head_ += fmt::format("{:x}\r\n", out_.bytes.size());
    tail = "\r\n";
  }
  if (is_end && stream_is_whole_) {
    queue_ = nullptr;
    if (!is_version_1_0_ && !is_head_) tail = has_chunk ? "\r\n0\r\n\r\n" : "0\r\n\r\n";
  }
  is_writing_ = true;
  limit_write(out_.bytes.size());
  const std::array<asio::const_buffer, 3> buffers{asio::buffer(out_head_), asio::buffer(out_.bytes),
                                                  asio::buffer(tail.data(), tail.size())};
  asio::async_write(stream_, buffers, [me = shared_from_this()](AsioError error, size_t) {
    me->is_writing_ = false;
    me->out_head_.clear();
    if (error || me->queue_ == nullptr) return me->after_write(error);
    me->send_chunks();
  });
}

void HttpConnection::after_write(AsioError error) {
  if (error) return drop();
  std::string().swap(out_.bytes);
  spare_ = 1;
  poll_.cancel();
  AsioError ignored;
  stream_.socket().cancel(ignored);  // the wait of watch()
  if (ends_connection()) return linger();
  wait_for_request();
}

// Reads what the client still sends for a while, because closing a socket with unread bytes would
// discard the answer.
void HttpConnection::linger() {
  AsioError ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(kLingerTime);
  piece_.resize(kPieceBytes);
  read_and_drop();
}

void HttpConnection::read_and_drop() {
  stream_.async_read_some(asio::buffer(piece_), [me = shared_from_this()](AsioError error, size_t) {
    error ? me->drop() : me->read_and_drop();
  });
}

}  // namespace

void serve_http(Network& network, TcpSocket socket, std::shared_ptr<Site> site) {
  AsioError ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  const auto connection =
      std::make_shared<HttpConnection>(network, std::move(socket), std::move(site));
  network.listed.push_back(connection);
  connection->start();
}

}  // namespace tracebraid::http
