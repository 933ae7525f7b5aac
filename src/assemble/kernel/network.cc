// Packets and connections (spec proto 5.5, "Block, filesystem, storage, network").
#include <fmt/format.h>

#include <array>
#include <vector>

#include "assemble/kernel/by_machine.h"
#include "assemble/kernel/topics.h"
#include "kernel/values.h"

namespace tracebraid {
namespace {

struct NetworkState {
  Remembered<uint64_t> received, sent;  // bytes, by name of the interface
  std::vector<uint64_t> dropped;        // by machine
  Remembered<uint32_t> streams;         // numbers from 1, by socket
  std::vector<uint32_t> stream_counts;  // by machine
};

constexpr uint32_t kProtocolTcp = 6, kFamilyInet = 2, kFamilyInet6 = 10;
constexpr uint32_t kEthernetIp = 0x0800, kEthernetIpv6 = 0x86DD;

constexpr uint32_t kEstablished = 1, kSynSent = 2;

void count_bytes(KernelEmitter& out, const KernelEvent& e, Remembered<uint64_t>& counts,
                 std::string_view type, std::string_view shown) {
  const std::string_view device = e.text("name");
  const uint32_t track = out.track(e, counter_kind(type), kNone, {{"network_interface", device}},
                                   [&] { return fmt::format("{} {} KB", device, shown); });
  const uint32_t len = e.u32("len");
  uint64_t& bytes = counts[{e.machine, out.id(device).row}];
  bytes += len;
  const uint64_t kilobytes = bytes / 1024;
  out.counter(e, track, static_cast<double>(kilobytes),
              out.args().integer("cpu", e.cpu()).integer("len", len).close());
}

void netif_receive_skb(KernelEmitter& out, NetworkState& state, const KernelEvent& e) {
  count_bytes(out, e, state.received, "net_receive", "Received");
}

void net_dev_xmit(KernelEmitter& out, NetworkState& state, const KernelEvent& e) {
  if (e.i32("rc") != 0) return;
  count_bytes(out, e, state.sent, "net_transmit", "Transmitted");
}

void kfree_skb(KernelEmitter& out, NetworkState& state, const KernelEvent& e) {
  const uint32_t protocol = e.u32("protocol");
  if (protocol != kEthernetIp && protocol != kEthernetIpv6) return;
  const uint64_t count = ++of_machine(state.dropped, e.machine);
  const uint32_t track =
      out.track(e, counter_kind("net_kfree_skb"), kNone, {}, "Kfree Skb IP Prot");
  out.counter(e, track, static_cast<double>(count),
              out.args().text("protocol", protocol == kEthernetIp ? "IP" : "IPV6").close());
}

uint32_t stream_number(NetworkState& state, const KernelEvent& e) {
  const auto [at, is_new] = state.streams.try_emplace({e.machine, e.u64("skaddr")});
  if (is_new) at->second = ++of_machine(state.stream_counts, e.machine);
  return at->second;
}

void inet_sock_set_state(KernelEmitter& out, NetworkState& state, const KernelEvent& e) {
  const uint32_t family = e.u32("family");
  const uint32_t to = e.u32("newstate");
  std::string name(tcp_state_name(to));
  if (e.u32("protocol") != kProtocolTcp || (family != kFamilyInet && family != kFamilyInet6) ||
      name.empty() || tcp_state_name(e.u32("oldstate")).empty())
    return;
  const uint32_t stream = stream_number(state, e);
  const uint32_t track =
      out.track(e, {.type = "net_socket_set_state"}, kNone, {{"tcp_stream_idx", stream}},
                [=] { return fmt::format("TCP stream#{}", stream); });
  if (to == kSynSent) name += fmt::format("(pid={})", e.tid());
  if (to == kEstablished)
    name += fmt::format("(sport={},dport={})", e.u32("sport"), e.u32("dport"));
  out.end(e, track);
  out.begin(e, track, out.id(name), {.category = out.id("tcp_state")});
}

void tcp_retransmit_skb(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t track =
      out.track(e, {.type = "net_tcp_retransmit_skb"}, kNone, {}, "TCP Retransmit Skb");
  out.instant(e, track, out.id(fmt::format("sport={},dport={}", e.u32("sport"), e.u32("dport"))),
              {.category = out.id("tcp_event")});
}

constexpr KernelHandler<NetworkState> kHandlers[] = {
    {"netif_receive_skb", netif_receive_skb},
    {"net_dev_xmit", net_dev_xmit},
    {"kfree_skb", kfree_skb},
    {"inet_sock_set_state", inet_sock_set_state},
    {"tcp_retransmit_skb", tcp_retransmit_skb},
};

}  // namespace

std::unique_ptr<KernelTopic> network_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
