#include "format/proto/system/statsd.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

// The message with a field for each kind of atom. Its descriptor depends on the device's build, so
// it comes from the trace or the option --proto-descriptors.
constexpr std::string_view kAtom = "android.os.statsd.Atom";
constexpr std::string_view kAtomIds = "perfetto.protos.AtomId";

// Atoms from here on belong to device makers, who do not publish descriptors.
constexpr uint32_t kFirstOfMakers = 100'000;

// Maps "ATOM_SCREEN_STATE_CHANGED" to the field screen_state_changed.
std::string field_name(std::string_view id) {
  constexpr std::string_view kPrefix = "ATOM_";
  if (id.starts_with(kPrefix)) id.remove_prefix(kPrefix.size());
  std::string name(id);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

void add_atom(const PacketInfo& packet, const EventTime& time, std::string_view message,
              StatsdState& state, PacketOutput& out) {
  Message atom(message);
  const uint32_t number = atom.next() ? atom.number() : 0;
  const FieldDescriptor* field = out.descriptors.field(kAtom, number);
  uint32_t args = kNone;
  std::string name;
  if (field != nullptr) {
    name = field->name;
    ArgPath path("");
    ArraySizes arrays;
    out.sink.open_args();
    for (Message fields(message); fields.next();)
      if (const FieldDescriptor* known = out.descriptors.field(kAtom, fields.number()))
        add_field_args(out.descriptors, *known, fields, path, arrays, out.sink);
    args = out.sink.close_args();
  } else {
    name = field_name(out.descriptors.enum_name(kAtomIds, number));
    if (name.empty()) name = fmt::format("atom_{}", number);
    if (number < kFirstOfMakers) out.sink.tally(stats::atom_unknown, 1, packet.machine);
    ++state.without_fields;
    state.bytes += message.size();
  }
  const uint32_t track = out.tracks.track({.machine = packet.machine,
                                           .type = out.sink.string("statsd_atoms"),
                                           .name = out.sink.string("Statsd Atoms")});
  out.event(time, EventKind::Instant, track, name, args);
}

}  // namespace

void read_statsd_atoms(const PacketInfo& packet, std::string_view message, StatsdState& state,
                       PacketOutput& out) {
  using Field = field::StatsdAtom;
  std::vector<int64_t> times;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kTimestampNanos)
      for_each_varint(fields, [&](uint64_t ns) { times.push_back(static_cast<int64_t>(ns)); });
  size_t i = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() != Field::kAtom) continue;
    EventTime time = packet.time;
    if (i < times.size())
      time = out.clocks.time(packet.machine, {.domain = field::BuiltinClock::kBoottime}, times[i]);
    else
      out.count(stats::atom_timestamp_missing, packet);
    ++i;
    add_atom(packet, time, fields.bytes(), state, out);
  }
}

void finish_statsd(const StatsdState& state, PacketOutput& out) {
  if (state.without_fields > 0)
    out.sink.batch().not_imported.push_back(
        {"fields of statsd atoms without a descriptor", state.without_fields, state.bytes});
}

}  // namespace tracebraid::proto
