#include "generate/simulate/simulation.h"

#include <algorithm>

#include "base/clock_domain.h"
#include "generate/simulate/recording.h"
#include "generate/simulate/true_clock.h"

namespace tracebraid::generate {
namespace {

constexpr uint32_t kDevice = 200;
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kBootNs = 5'000 * kSecond, kWallNs = 1'763'640'000 * kSecond;
constexpr int64_t kReadSpreadNs = 800;  // between the first and last clock of a snapshot
constexpr double kWanderPpm = 0.005;

class Worlds {
 public:
  explicit Worlds(const SimulationOptions& options)
      : options_(options), random_(options.seed * 2654435761U + 1) {}

  Simulation run() {
    switch (options_.world) {
      case World::Drift:
        drift();
        break;
      case World::Machines:
        machines();
        break;
      case World::WallClock:
        wall_clock();
        break;
      case World::Suspend:
        suspend();
        break;
      case World::Sync:
        sync();
        break;
    }
    return std::move(out_);
  }

 private:
  // Adds an event of `clock` at a true time, which the timeline's clock shows as `host` does.
  size_t happen(int64_t at, const TrueClock& clock, const TrueClock& host,
                const ReferenceRule& rule, uint32_t domain, uint32_t machine, uint32_t file) {
    TrueEvent event{.name = "e" + std::to_string(out_.events.size()),
                    .true_ns = host.at(at),
                    .domain = domain,
                    .machine = machine,
                    .file = file,
                    .reading = clock.at(at),
                    .reference_ns = 0};
    event.reference_ns = rule.convert(event.reading);
    out_.events.push_back(std::move(event));
    return out_.events.size() - 1;
  }

  int64_t any_time() {
    return static_cast<int64_t>(fraction(random_) * static_cast<double>(options_.duration_ns));
  }
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(fraction(random_) * static_cast<double>(high - low));
  }
  double some_drift() { return random_.one_in(2) ? options_.drift_ppm : -options_.drift_ppm; }
  // Returns the moments at which clocks are read: at the start, at intervals, and at the end.
  std::vector<int64_t> moments() const {
    std::vector<int64_t> all;
    for (int64_t at = kSecond; at < options_.duration_ns; at += options_.snapshots_every_ns)
      all.push_back(at);
    all.push_back(options_.duration_ns);
    return all;
  }
  TrueClock clock(const ClockFaults& faults) {
    return TrueClock(faults, options_.duration_ns, random_);
  }
  TrueClock host_clock() {
    return clock({.offset_ns = kBootNs, .drift_ppm = some_drift() / 4, .wander_ppm = kWanderPpm});
  }

  // Reads the clocks one after the other, as often as the options state. Stopped clocks are not
  // read. The second clock is the clock of the events.
  ReferenceRule read_together(const std::vector<std::pair<uint32_t, const TrueClock*>>& clocks,
                              const std::vector<ClockFaults::Pause>& pauses,
                              ProtoRecording& recording) {
    ReferenceRule rule;
    for (const int64_t at : moments()) {
      const bool is_asleep = std::ranges::any_of(
          pauses, [at](const auto& p) { return at >= p.from - kSecond && at <= p.to; });
      if (is_asleep) continue;
      std::vector<DomainReading> readings;
      int64_t now = at;
      for (const auto& [domain, shown] : clocks) {
        readings.push_back({domain, shown->at(now)});
        now += between(0, kReadSpreadNs / static_cast<int64_t>(clocks.size()));
      }
      rule.observe(readings[1].ns, readings[0].ns);
      recording.snapshot(readings);
    }
    return rule;
  }

  void write_events(ProtoRecording recording) {
    for (const TrueEvent& event : out_.events)
      recording.event(event.name, event.domain, event.machine, event.reading);
    out_.files.push_back({"host.pb", recording.take()});
  }

  void drift() {
    const TrueClock host = host_clock();
    const TrueClock device =
        clock({.offset_ns = 77 * kSecond, .drift_ppm = some_drift(), .wander_ppm = kWanderPpm});
    ProtoRecording recording;
    const ReferenceRule rule =
        read_together({{domain::kBoottime, &host}, {kDevice, &device}}, {}, recording);
    for (uint32_t i = 0; i < options_.events; ++i)
      happen(any_time(), device, host, rule, kDevice, 0, 0);
    write_events(std::move(recording));
  }

  // Returns the latency of a message: at least `least`, sometimes with a delay.
  int64_t latency(int64_t least) {
    const int64_t usual = least + exponential(random_, 80'000);
    return random_.one_in(20) ? usual + between(0, 5'000'000) : usual;
  }

  void machines() {
    const TrueClock host = host_clock();
    ProtoRecording recording;
    recording.snapshot({{domain::kBoottime, host.at(0)}});
    std::vector<TrueClock> clients;
    std::vector<ReferenceRule> rules;
    for (uint32_t m = 1; m <= options_.machines; ++m) {
      clients.push_back(clock(
          {.offset_ns = m * 1000 * kSecond, .drift_ppm = some_drift(), .wander_ppm = kWanderPpm}));
      rules.push_back(ping(m, clients.back(), host, recording));
    }
    for (uint32_t i = 0; i < options_.events / 2; ++i) {
      const uint32_t from = random_.below(options_.machines), to = random_.below(options_.machines);
      const int64_t sent = any_time(), received = sent + latency(100'000);
      const size_t a =
          happen(sent, clients[from], host, rules[from], domain::kBoottime, from + 1, 0);
      const size_t b = happen(received, clients[to], host, rules[to], domain::kBoottime, to + 1, 0);
      out_.messages.push_back({a, b});
    }
    write_events(std::move(recording));
  }

  ReferenceRule ping(uint32_t machine, const TrueClock& client, const TrueClock& host,
                     ProtoRecording& recording) {
    ReferenceRule rule;
    for (int64_t at = kSecond; at < options_.duration_ns; at += options_.snapshots_every_ns) {
      // The client asks, the host answers, the client confirms the answer.
      const int64_t heard = at + latency(60'000), answered = heard + latency(90'000),
                    done = answered + latency(60'000);
      const int64_t t1c = client.at(at), t1h = host.at(heard), t2c = client.at(answered),
                    t2h = host.at(done);
      recording.ping(machine, {{t1h, t1c}, {t2h, t2c}});
      const int64_t offset = ((t1c + t2c) / 2 - t1h + (t2c - (t1h + t2h) / 2)) / 2;
      rule.observe(t2h + offset, t2h);
    }
    return rule;
  }

  void wall_clock() {
    const TrueClock host = host_clock();
    // NTP slews for some seconds, and steps when the offset is large.
    ClockFaults faults{.offset_ns = kWallNs, .drift_ppm = some_drift(), .wander_ppm = kWanderPpm};
    for (int64_t at = between(10, 60) * kSecond; at < options_.duration_ns;
         at += between(30, 90) * kSecond) {
      if (random_.one_in(3))
        faults.steps.push_back({at, (random_.one_in(2) ? 1 : -1) * between(20, 800) * 1'000'000});
      else
        faults.slews.push_back(
            {at, at + between(3, 25) * kSecond, 800 * (fraction(random_) - 0.5)});
    }
    const TrueClock wall = clock(faults);
    ProtoRecording recording;
    const ReferenceRule rule =
        read_together({{domain::kBoottime, &host}, {domain::kRealtime, &wall}}, {}, recording);
    for (uint32_t i = 0; i < options_.events; ++i)
      happen(any_time(), wall, host, rule, domain::kRealtime, 0, 0);
    write_events(std::move(recording));
  }

  void suspend() {
    const TrueClock host = host_clock();
    ClockFaults faults{.offset_ns = kBootNs - 600 * kSecond};
    for (int64_t at = between(10, 60) * kSecond; at < options_.duration_ns;
         at += between(60, 120) * kSecond)
      faults.pauses.push_back({at, at + between(1, 40) * kSecond});
    // The clock runs as BOOTTIME does, except for the pauses.
    const auto shown = [&](int64_t at) {
      int64_t asleep = 0;
      for (const auto& pause : faults.pauses)
        asleep += host.at(std::clamp(at, pause.from, pause.to)) - host.at(pause.from);
      return host.at(at) - 600 * kSecond - asleep;
    };
    ProtoRecording recording;
    ReferenceRule rule;
    const auto is_asleep = [&](int64_t at) {
      return std::ranges::any_of(faults.pauses,
                                 [at](const auto& p) { return at >= p.from && at <= p.to; });
    };
    for (const int64_t at : moments()) {
      if (is_asleep(at) || is_asleep(at + kReadSpreadNs)) continue;
      const int64_t boottime = host.at(at), monotonic = shown(at + between(0, kReadSpreadNs));
      recording.snapshot({{domain::kBoottime, boottime}, {domain::kMonotonic, monotonic}});
      rule.observe(monotonic, boottime);
    }
    for (uint32_t i = 0; i < options_.events; ++i) {
      const int64_t at = any_time();
      if (is_asleep(at)) continue;
      const int64_t reading = shown(at);
      out_.events.push_back({.name = "e" + std::to_string(i),
                             .true_ns = host.at(at),
                             .domain = domain::kMonotonic,
                             .machine = 0,
                             .file = 0,
                             .reading = reading,
                             .reference_ns = rule.convert(reading)});
    }
    write_events(std::move(recording));
  }

  void sync() {
    const TrueClock first = clock({.offset_ns = 9 * kSecond, .wander_ppm = kWanderPpm});
    const TrueClock second =
        clock({.offset_ns = 400 * kSecond, .drift_ppm = some_drift(), .wander_ppm = kWanderPpm});
    JsonRecording a, b;
    ReferenceRule rule;  // the smallest error applies to all times (spec json 6.3)
    int64_t least = INT64_MAX;
    for (int i = 0; i < 5; ++i) {
      const int64_t at = any_time(), noted = at + latency(50'000), done = noted + latency(50'000);
      const std::string id = "sync" + std::to_string(i);
      a.sync(id, first.at(at), first.at(done));
      b.sync(id, second.at(noted), second.at(noted));
      const int64_t length = first.at(done) - first.at(at);
      if (length >= least) continue;
      least = length;
      rule = {};
      rule.observe(second.at(noted), first.at(at) + length / 2);
    }
    a.event("start", first.at(0));
    for (uint32_t i = 0; i < options_.events; ++i) {
      const size_t e = happen(any_time(), second, first, rule, domain::kPrivate, 0, 1);
      b.event(out_.events[e].name, out_.events[e].reading);
    }
    out_.files.push_back({"a.json", a.take()});
    out_.files.push_back({"b.json", b.take()});
  }

  SimulationOptions options_;
  Random random_;
  Simulation out_;
};

}  // namespace

std::string_view name_of(World world) {
  switch (world) {
    case World::Drift:
      return "drift";
    case World::Machines:
      return "machines";
    case World::WallClock:
      return "wall clock";
    case World::Suspend:
      return "suspend";
    case World::Sync:
      break;
  }
  return "sync";
}

Simulation simulate(const SimulationOptions& options) { return Worlds(options).run(); }

}  // namespace tracebraid::generate
