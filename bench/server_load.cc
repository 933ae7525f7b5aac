// Sends one HTTP request over and over at a fixed rate: the load of figure P17 of bench/server.py.
//
//   server_load PORT CONNECTIONS RATE SECONDS < REQUEST
//
// RATE requests a second are due at fixed times, whether earlier ones are answered or not. Each
// goes over the next connection in turn, after the answer to the one before on that connection.
// Latencies count from when a request was due, so a server that falls behind cannot hide it. Prints
// JSON: requests, refused (not 200), p50 and p99 in milliseconds, and the processor time of this
// program a request in microseconds.
#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void stop(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Client {
  int socket = -1;
  bool is_busy = false;   // an answer is due
  Clock::time_point due;  // of the request under way, or of the next one
  std::string answer = {};
};

int connect_to(uint16_t port) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    stop("connect");
  const int on = 1;
  ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return made;
}

void send(Client& client, std::string_view request) {
  client.is_busy = true;
  if (::send(client.socket, request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size()))
    stop("send");
}

// Returns whether the answer is whole. Nothing follows it, because each client waits.
bool is_whole(std::string_view answer) {
  const size_t head = answer.find("\r\n\r\n");
  if (head == answer.npos) return false;
  constexpr std::string_view kLength = "Content-Length: ";
  const size_t length = answer.find(kLength);
  if (length > head) return answer.ends_with("\r\n0\r\n\r\n");
  return answer.size() - head - 4 >=
         std::stoul(std::string(answer.substr(length + kLength.size(), 10)));
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5)
    return std::fputs("server_load PORT CONNECTIONS RATE SECONDS < REQUEST\n", stderr), 2;
  const auto port = static_cast<uint16_t>(std::atoi(arguments[1]));
  std::vector<Client> clients(static_cast<size_t>(std::atoi(arguments[2])));
  const double rate = std::atof(arguments[3]), seconds = std::atof(arguments[4]);
  const std::string request(std::istreambuf_iterator<char>(std::cin), {});
  const auto step =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate));

  const int events = ::epoll_create1(EPOLL_CLOEXEC);
  const auto begin = Clock::now();
  for (size_t i = 0; i < clients.size(); ++i) {
    clients[i] = {.socket = connect_to(port), .due = begin + step * static_cast<int64_t>(i)};
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    ::epoll_ctl(events, EPOLL_CTL_ADD, clients[i].socket, &event);
  }
  const auto period = step * static_cast<int64_t>(clients.size());
  const auto end =
      begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));

  std::vector<double> latencies;
  size_t refused = 0, busy = 0, next = 0;
  auto due = begin;  // of the client `next`
  std::array<epoll_event, 128> ready{};
  std::array<char, 4096> buffer{};
  while (busy > 0 || due < end) {
    auto now = Clock::now();
    for (; due <= now && due < end; due += step, next = (next + 1) % clients.size()) {
      if (clients[next].is_busy) continue;  // sends it after the answer
      send(clients[next], request);
      ++busy;
    }
    const auto rest = std::max<int64_t>(std::chrono::nanoseconds(due - now).count(), 0);
    const timespec timeout{.tv_sec = rest / 1'000'000'000, .tv_nsec = rest % 1'000'000'000};
    const int got = ::epoll_pwait2(events, ready.data(), static_cast<int>(ready.size()),
                                   due < end ? &timeout : nullptr, nullptr);
    if (got < 0) stop("epoll_pwait2");
    now = Clock::now();
    for (const epoll_event& event : std::span(ready).first(static_cast<size_t>(got))) {
      Client& client = clients[event.data.u64];
      const ssize_t bytes = ::recv(client.socket, buffer.data(), buffer.size(), 0);
      if (bytes <= 0) stop("recv");
      client.answer.append(buffer.data(), static_cast<size_t>(bytes));
      if (!is_whole(client.answer)) continue;
      latencies.push_back(std::chrono::duration<double, std::milli>(now - client.due).count());
      refused += client.answer.find(" 200 ") < 16 ? 0 : 1;
      client.answer.clear();
      client.is_busy = false;
      --busy;
      client.due += period;
      if (client.due >= due || client.due >= end) continue;
      send(client, request);
      ++busy;
    }
  }
  std::ranges::sort(latencies);
  const auto at = [&](double share) {
    return latencies.empty()
               ? 0
               : latencies[static_cast<size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  fmt::print(R"({{"requests":{},"refused":{},"p50_ms":{:.2f},"p99_ms":{:.2f},"own_cpu_us":{:.1f}}})"
             "\n",
             latencies.size(), refused, at(0.5), at(0.99),
             cpu_seconds() * 1e6 / static_cast<double>(std::max<size_t>(latencies.size(), 1)));
}
