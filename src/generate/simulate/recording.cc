#include "generate/simulate/recording.h"

#include <fmt/format.h>

#include "generate/proto_trace.h"

namespace tracebraid::generate {
namespace {

constexpr uint32_t kSequence = 1, kBoottime = 6;

void add_clock(protozero::pbf_writer& snapshot, const DomainReading& reading) {
  protozero::pbf_writer clock(snapshot, 1);
  clock.add_uint32(1, reading.domain);
  clock.add_uint64(2, static_cast<uint64_t>(reading.ns));
}

void add_side(protozero::pbf_writer& message, uint32_t field, int64_t ns) {
  protozero::pbf_writer snapshot(message, field);
  add_clock(snapshot, {kBoottime, ns});
}

// Returns microseconds with three decimals.
std::string microseconds(int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

}  // namespace

void ProtoRecording::snapshot(const std::vector<DomainReading>& readings) {
  Packet packet(bytes_, kSequence);
  protozero::pbf_writer snapshot(packet, 6);
  for (const DomainReading& reading : readings) add_clock(snapshot, reading);
}

void ProtoRecording::ping(uint32_t machine,
                          const std::vector<std::pair<int64_t, int64_t>>& host_client) {
  Packet packet(bytes_, kSequence);
  packet->add_uint32(98, machine);
  protozero::pbf_writer sync(packet, 107);
  for (const auto& [host, client] : host_client) {
    protozero::pbf_writer message(sync, 1);
    add_side(message, 2, client);
    add_side(message, 3, host);
  }
}

void ProtoRecording::event(std::string_view name, uint32_t domain, uint32_t machine, int64_t ns) {
  Packet packet(bytes_, kSequence, ns);
  packet->add_uint32(58, domain);
  if (machine != 0) packet->add_uint32(98, machine);
  protozero::pbf_writer event(packet, 11);
  event.add_enum(9, 3);  // an instant
  event.add_string(23, name.data(), name.size());
}

void JsonRecording::event(std::string_view name, int64_t ns) {
  events_ += fmt::format(R"({{"ph":"X","name":"{}","pid":1,"tid":1,"ts":{},"dur":0}},)", name,
                         microseconds(ns));
}

void JsonRecording::sync(std::string_view id, int64_t begin, int64_t end) {
  events_ += fmt::format(R"({{"ph":"c","pid":1,"tid":1,"ts":{},"args":{{"sync_id":"{}")",
                         microseconds(end), id);
  if (begin < end) events_ += fmt::format(R"(,"issue_ts":{})", microseconds(begin));
  events_ += "}},";
}

std::string JsonRecording::take() {
  if (!events_.empty()) events_.pop_back();
  return "[" + std::move(events_) + "]";
}

int64_t ReferenceRule::convert(int64_t reading) const {
  const auto* best = observations_.data();
  for (const auto& observation : observations_)
    if (observation.first <= reading) best = &observation;
  return reading + (best->second - best->first);
}

}  // namespace tracebraid::generate
