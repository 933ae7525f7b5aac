#include "format/proto/window/transactions.h"

#include <optional>
#include <span>
#include <vector>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/message_rows.h"
#include "format/proto/window/rects.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

using Transaction = field::TransactionState;

struct Flag {
  uint64_t bit;
  std::string_view name;
};
constexpr Flag kLayerFlags[] = {
#define TB_LAYER_FLAG(bit, name) {bit, name},
#define TB_DISPLAY_FLAG(bit, name)
#include "format/proto/generated/transaction_flags.inc"
#undef TB_LAYER_FLAG
#undef TB_DISPLAY_FLAG
};
constexpr Flag kDisplayFlags[] = {
#define TB_LAYER_FLAG(bit, name)
#define TB_DISPLAY_FLAG(bit, name) {bit, name},
#include "format/proto/generated/transaction_flags.inc"
#undef TB_LAYER_FLAG
#undef TB_DISPLAY_FLAG
};

constexpr std::string_view kSnapshots = "surfaceflinger_transactions";
constexpr std::string_view kTable = "surfaceflinger_transaction";
constexpr StatId kMalformed = stats::winscope_sf_transactions_parse_errors;
constexpr MessageType kEntry{"com.android.internal.TransactionTraceEntry", kMalformed};
constexpr MessageType kState{"com.android.internal.TransactionState", kMalformed};
constexpr MessageType kLayer{"com.android.internal.LayerState", kMalformed};
constexpr MessageType kDisplay{"com.android.internal.DisplayState", kMalformed};
constexpr MessageType kCreation{"com.android.internal.LayerCreationArgs", kMalformed};

// Rows show ids as unsigned numbers of 32 bits.
int64_t id_of(const Message& field) { return field.u32(); }

// Returns the value of a field; 0 without one.
int64_t id_in(std::string_view message, uint32_t number) {
  int64_t id = 0;
  for (Message fields(message); fields.next();)
    if (fields.number() == number) id = id_of(fields);
  return id;
}

class Entry {
 public:
  Entry(const PacketInfo& packet, TransactionFlags& flags, PacketOutput& out)
      : packet_(packet), flags_(flags), out_(out), numbers_(packet.time, out.sink) {}

  void read(std::string_view message) {
    const uint32_t args = message_args(packet_, kEntry, message, out_);
    RowWriter row(out_.sink, kSnapshots);
    add_raw(message, row);
    row.integer("vsync_id", 0);
    add_cells(out_.descriptors, kEntry.name, message, "vsync_id", row);
    snapshot_ = numbers_.next_number();
    out_.sink.event(row.finish(packet_.time, args, snapshot_));
    add_changes(message);
  }

 private:
  using Field = field::TransactionTraceEntry;

  template <class Each>
  static void for_each(std::string_view message, uint32_t number, Each each) {
    for (Message fields(message); fields.next();)
      if (fields.number() == number) each(fields);
  }

  void add_changes(std::string_view message) {
    for_each(message, Field::kTransactions,
             [&](const Message& field) { add_transaction(field.bytes()); });
    add_created(message, Field::kAddedLayers, kCreation, "LAYER_ADDED", "layer_id",
                field::LayerCreationArgs::kLayerId);
    add_ids(message, Field::kDestroyedLayers, "LAYER_DESTROYED", "layer_id");
    add_created(message, Field::kAddedDisplays, kDisplay, "DISPLAY_ADDED", "display_id",
                field::DisplayState::kId);
    add_ids(message, Field::kRemovedDisplays, "DISPLAY_REMOVED", "display_id");
    add_ids(message, Field::kDestroyedLayerHandles, "LAYER_HANDLE_DESTROYED", "layer_id");
  }

  RowWriter begin(std::string_view type) {
    RowWriter row(out_.sink, kTable);
    row.row("snapshot_id", snapshot_).text("transaction_type", type);
    return row;
  }

  // Adds a row with args for each message of a repeated field; `id` is its field for the column.
  void add_created(std::string_view message, uint32_t number, const MessageType& created,
                   std::string_view type, std::string_view column, uint32_t id) {
    for_each(message, number, [&](const Message& field) {
      const uint32_t args = message_args(packet_, created, field.bytes(), out_);
      RowWriter row = begin(type);
      add_raw(field.bytes(), row);
      row.integer(column, id_in(field.bytes(), id));
      out_.sink.event(row.finish(packet_.time, args));
    });
  }

  // Adds a row for each number of a repeated field.
  void add_ids(std::string_view message, uint32_t number, std::string_view type,
               std::string_view column) {
    for_each(message, number, [&](const Message& field) {
      for_each_varint(field, [&](uint64_t id) {
        RowWriter row = begin(type);
        row.integer(column, static_cast<uint32_t>(id));
        out_.sink.event(row.finish(packet_.time));
      });
    });
  }

  void add_transaction(std::string_view transaction) {
    const Shared shared = read_shared(transaction);
    bool has_change = false;
    for_each(transaction, Transaction::kLayerChanges, [&](const Message& field) {
      has_change = true;
      add_change(shared, field.bytes(), kLayer, "LAYER_CHANGED", "layer_id");
    });
    for_each(transaction, Transaction::kDisplayChanges, [&](const Message& field) {
      has_change = true;
      add_change(shared, field.bytes(), kDisplay, "DISPLAY_CHANGED", "display_id");
    });
    if (has_change) return;
    RowWriter row = begin("NOOP");
    add_ids_of(shared, row);
    out_.sink.event(row.finish(packet_.time));
  }

  // The fields of a transaction that the rows of its changes repeat.
  struct Shared {
    int64_t id = 0, pid = 0, uid = 0;
    std::vector<Message> args;  // its token and barriers
  };

  Shared read_shared(std::string_view transaction) {
    // Limits, because each change repeats these args; more are damage.
    constexpr size_t kMostArgs = 64, kMostBytes = 1024;
    Shared shared;
    size_t bytes = 0;
    bool is_cut = false;
    for (Message fields(transaction); fields.next();) {
      if (fields.number() == Transaction::kTransactionId) shared.id = fields.i64();
      if (fields.number() == Transaction::kPid) shared.pid = id_of(fields);
      if (fields.number() == Transaction::kUid) shared.uid = id_of(fields);
      if (fields.number() != Transaction::kApplyToken &&
          fields.number() != Transaction::kTransactionBarriers)
        continue;
      bytes += fields.bytes().size();
      if (shared.args.size() < kMostArgs && bytes <= kMostBytes)
        shared.args.push_back(fields);
      else
        is_cut = true;
    }
    if (is_cut) out_.count(kMalformed, packet_);
    return shared;
  }

  static void add_ids_of(const Shared& shared, RowWriter& row) {
    row.integer("transaction_id", shared.id).integer("pid", shared.pid).integer("uid", shared.uid);
  }

  // Adds the row of a LayerState or DisplayState, whose first two fields are alike.
  void add_change(const Shared& shared, std::string_view change, const MessageType& type,
                  std::string_view name, std::string_view id_column) {
    static_assert(uint32_t{field::DisplayState::kId} == uint32_t{field::LayerState::kLayerId} &&
                  uint32_t{field::DisplayState::kWhat} == uint32_t{field::LayerState::kWhat});
    int64_t id = 0;
    std::optional<uint64_t> what;
    for (Message fields(change); fields.next();) {
      if (fields.number() == field::LayerState::kLayerId) id = id_of(fields);
      if (fields.number() == field::LayerState::kWhat) what = fields.u64();
    }
    const std::optional<int64_t> flags = what ? std::optional(flags_id(*what, type)) : std::nullopt;
    const uint32_t args = change_args(shared, change, type);
    RowWriter row = begin(name);
    add_raw(change, row);
    add_ids_of(shared, row);
    row.integer(id_column, id);
    if (flags) row.integer("flags_id", *flags);
    out_.sink.event(row.finish(packet_.time, args));
  }

  // Returns the args of a change, with those fields of its transaction that concern each change.
  uint32_t change_args(const Shared& shared, std::string_view change, const MessageType& type) {
    ArraySizes arrays;
    out_.sink.open_args();
    add_fields(packet_, type, change, arrays, out_);
    ArgPath path("");
    for (const Message& field : shared.args)
      add_field_args(out_.descriptors, *out_.descriptors.field(kState.name, field.number()), field,
                     path, arrays, out_.sink);
    return out_.sink.close_args();
  }

  // Returns the number of a set of flags. The first use adds their rows.
  int64_t flags_id(uint64_t what, const MessageType& type) {
    const bool is_layer = &type == &kLayer;
    auto& ids = is_layer ? flags_.of_layers : flags_.of_displays;
    const auto next = static_cast<int64_t>(flags_.of_layers.size() + flags_.of_displays.size());
    const auto [at, is_new] = ids.try_emplace(what, next);
    if (!is_new) return at->second;
    for (const Flag& flag : is_layer ? std::span<const Flag>(kLayerFlags) : kDisplayFlags)
      if ((what & flag.bit) != 0)
        out_.sink.event(RowWriter(out_.sink, "surfaceflinger_transaction_flag")
                            .integer("flags_id", next)
                            .text("flag", flag.name)
                            .finish(packet_.time));
    return next;
  }

  const PacketInfo& packet_;
  TransactionFlags& flags_;
  PacketOutput& out_;
  RectRows numbers_;
  int64_t snapshot_ = 0;
};

}  // namespace

void read_transactions(const PacketInfo& packet, std::string_view message, TransactionFlags& flags,
                       PacketOutput& out) {
  Entry(packet, flags, out).read(message);
}

}  // namespace tracebraid::proto
