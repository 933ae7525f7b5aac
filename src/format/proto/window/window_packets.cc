#include "format/proto/window/window_packets.h"

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/input_events.h"
#include "format/proto/window/layers.h"
#include "format/proto/window/message_rows.h"
#include "format/proto/window/stats.h"
#include "format/proto/window/view_capture.h"
#include "format/proto/window/window_manager.h"

namespace tracebraid::proto {
namespace {

using Extension = field::WinscopeExtensions;

constexpr MessageTable kInputMethodClients{"inputmethod_clients",
                                           {"com.android.internal.InputMethodClientsTraceProto",
                                            stats::winscope_inputmethod_clients_parse_errors}};
constexpr MessageTable kInputMethodService{"inputmethod_service",
                                           {"com.android.internal.InputMethodServiceTraceProto",
                                            stats::winscope_inputmethod_service_parse_errors}};
constexpr MessageTable kInputMethodManager{
    "inputmethod_manager_service",
    {"com.android.internal.InputMethodManagerServiceTraceProto",
     stats::winscope_inputmethod_manager_service_parse_errors}};

// Reads an extension. Returns false for an unknown one.
bool read_extension(const PacketInfo& packet, const Message& extension, PacketOutput& out) {
  const std::string_view message = extension.bytes();
  switch (extension.number()) {
    case Extension::kInputmethodClients:
      add_message_row(packet, kInputMethodClients, message, out);
      return true;
    case Extension::kInputmethodService:
      add_message_row(packet, kInputMethodService, message, out);
      return true;
    case Extension::kInputmethodManagerService:
      add_message_row(packet, kInputMethodManager, message, out);
      return true;
    case Extension::kViewcapture:
      read_view_capture(packet, message, out);
      return true;
    case Extension::kAndroidInputEvent:
      read_input_event(packet, message, out);
      return true;
    case Extension::kWindowmanager:
      read_window_manager(packet, message, out);
      return true;
    default:
      return false;
  }
}

}  // namespace

bool read_window_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                        WindowTraces& state, PacketOutput& out) {
  using Field = field::TracePacket;
  switch (field) {
    case Field::kSurfaceflingerLayersSnapshot:
      read_layers(packet, message, out);
      return true;
    case Field::kSurfaceflingerTransactions:
      read_transactions(packet, message, state.transaction_flags, out);
      return true;
    case Field::kShellTransition:
      read_shell_transition(packet, message, state.transitions, out);
      return true;
    case Field::kShellHandlerMappings:
      read_shell_handlers(packet, message, out);
      return true;
    case Field::kProtologMessage:
      read_protolog_message(packet, message, state.protolog, out);
      return true;
    case Field::kProtologViewerConfig:
      read_protolog_config(packet, message, state.protolog, out);
      return true;
    case Field::kWinscopeExtensions:
      // Only the first known extension of a packet counts.
      for (Message fields(message); fields.next();)
        if (fields.wire() == Wire::Bytes && read_extension(packet, fields, out)) break;
      return true;
    default:
      return false;
  }
}

void finish_window_traces(uint32_t machine, WindowTraces& state, PacketOutput& out) {
  finish_shell_transitions(machine, state.transitions, out);
  finish_protolog(machine, state.protolog, out);
}

}  // namespace tracebraid::proto
