// Window traces of Android: layers, transactions, windows, views, input.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_WINSCOPE_RECT_COLUMNS(C) \
  C(x, double, None, "Left edge.")  \
  C(y, double, None, "Top edge.")   \
  C(w, double, None, "Width.")      \
  C(h, double, None, "Height.")
TB_TABLE(WinscopeRectTable, "__intrinsic_winscope_rect", "Rectangles of window traces.",
         TB_WINSCOPE_RECT_COLUMNS)

#define TB_WINSCOPE_TRANSFORM_COLUMNS(C) \
  C(dsdx, double, None, "x in x'.")      \
  C(dtdx, double, None, "y in x'.")      \
  C(tx, double, None, "Shift of x.")     \
  C(dtdy, double, None, "x in y'.")      \
  C(dsdy, double, None, "y in y'.")      \
  C(ty, double, None, "Shift of y.")
TB_TABLE(WinscopeTransformTable, "__intrinsic_winscope_transform",
         "Transforms of rectangles: x' = dsdx x + dtdx y + tx, y' = dtdy x + dsdy y + ty.",
         TB_WINSCOPE_TRANSFORM_COLUMNS)

#define TB_WINSCOPE_TRACE_RECT_COLUMNS(C)                                 \
  C(rect_id, OptRow, None, "Row of winscope_rect.")                       \
  C(group_id, int64_t, None, "Display, or stack of layers.")              \
  C(depth, int64_t, None, "Place from back to front.")                    \
  C(is_spy, uint8_t, None, "1 if the window only watches input.")         \
  C(is_visible, uint8_t, None, "1 if it is visible.")                     \
  C(opacity, double, None, "From 0 to 1; NULL if unknown.")               \
  C(transform_id, OptRow, None, "Row of winscope_transform.")             \
  C(border_width, double, None, "Width of the border; NULL without one.") \
  C(border_color, OptInt, None, "Colour of the border.")
TB_TABLE(WinscopeTraceRectTable, "__intrinsic_winscope_trace_rect",
         "Rectangles with their places in a drawing.", TB_WINSCOPE_TRACE_RECT_COLUMNS)

#define TB_WINSCOPE_FILL_REGION_COLUMNS(C)                      \
  C(trace_rect_id, OptRow, None, "Row of winscope_trace_rect.") \
  C(rect_id, OptRow, None, "Row of winscope_rect.")
TB_TABLE(WinscopeFillRegionTable, "__intrinsic_winscope_fill_region",
         "Parts of a window that take touches.", TB_WINSCOPE_FILL_REGION_COLUMNS)

#define TB_INPUT_METHOD_CLIENTS_COLUMNS(C)              \
  C(ts, int64_t, Sorted, "ns.")                         \
  C(arg_set_id, OptRow, None, "Fields of the message.") \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")
TB_TABLE(InputMethodClientsTable, "__intrinsic_inputmethod_clients",
         "States of clients of the input method.", TB_INPUT_METHOD_CLIENTS_COLUMNS)

#define TB_INPUT_METHOD_MANAGER_SERVICE_COLUMNS(C)      \
  C(ts, int64_t, Sorted, "ns.")                         \
  C(arg_set_id, OptRow, None, "Fields of the message.") \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")
TB_TABLE(InputMethodManagerServiceTable, "__intrinsic_inputmethod_manager_service",
         "States of the manager of input methods.", TB_INPUT_METHOD_MANAGER_SERVICE_COLUMNS)

#define TB_INPUT_METHOD_SERVICE_COLUMNS(C)              \
  C(ts, int64_t, Sorted, "ns.")                         \
  C(arg_set_id, OptRow, None, "Fields of the message.") \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")
TB_TABLE(InputMethodServiceTable, "__intrinsic_inputmethod_service", "States of the input method.",
         TB_INPUT_METHOD_SERVICE_COLUMNS)

#define TB_LAYERS_SNAPSHOT_COLUMNS(C)                                            \
  C(ts, int64_t, Sorted, "ns.")                                                  \
  C(arg_set_id, OptRow, None, "Fields of the message, without layers.")          \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.") \
  C(sequence_id, int64_t, None, "Writer of the packet.")                         \
  C(has_invalid_elapsed_ts, OptInt, None, "1 if the snapshot has no time since boot.")
TB_TABLE(LayersSnapshotTable, "__intrinsic_surfaceflinger_layers_snapshot",
         "Snapshots of the layers of SurfaceFlinger.", TB_LAYERS_SNAPSHOT_COLUMNS,
         {"surfaceflinger_layers_snapshot"})

#define TB_SURFACE_FLINGER_DISPLAY_COLUMNS(C)                            \
  C(snapshot_id, OptRow, None, "Row of surfaceflinger_layers_snapshot.") \
  C(is_on, uint8_t, None, "1 if it shows a stack of layers.")            \
  C(is_virtual, uint8_t, None, "1 if it is virtual.")                    \
  C(trace_rect_id, OptRow, None, "Row of winscope_trace_rect.")          \
  C(display_id, int64_t, None, "Number of the display.")                 \
  C(display_name, StringId, None, "Name.")
TB_TABLE(SurfaceFlingerDisplayTable, "__intrinsic_surfaceflinger_display",
         "Displays in snapshots of layers.", TB_SURFACE_FLINGER_DISPLAY_COLUMNS)

#define TB_SURFACE_FLINGER_LAYER_COLUMNS(C)                                             \
  C(snapshot_id, OptRow, None, "Row of surfaceflinger_layers_snapshot.")                \
  C(arg_set_id, OptRow, None,                                                           \
    "Fields of the message, reasons of invisibility, and the layers above.")            \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")        \
  C(layer_id, OptInt, None, "Number of the layer.")                                     \
  C(layer_name, StringId, None, "Name.")                                                \
  C(is_visible, uint8_t, None, "1 if it is visible.")                                   \
  C(parent, OptInt, None, "layer_id of the parent.")                                    \
  C(corner_radius_tl, double, None, "Radius of the top left corner.")                   \
  C(corner_radius_tr, double, None, "Top right.")                                       \
  C(corner_radius_bl, double, None, "Bottom left.")                                     \
  C(corner_radius_br, double, None, "Bottom right.")                                    \
  C(hwc_composition_type, OptInt, None, "Kind of composition.")                         \
  C(is_hidden_by_policy, uint8_t, None, "1 if it is flagged as hidden.")                \
  C(z_order_relative_of, OptInt, None, "layer_id of the layer by which it is ordered.") \
  C(is_missing_z_parent, uint8_t, None, "1 if that layer is not in the snapshot.")      \
  C(layer_rect_id, OptRow, None, "Row of winscope_trace_rect: its bounds.")             \
  C(input_rect_id, OptRow, None, "Row of winscope_trace_rect: its input window.")
TB_TABLE(SurfaceFlingerLayerTable, "__intrinsic_surfaceflinger_layer", "Layers in snapshots.",
         TB_SURFACE_FLINGER_LAYER_COLUMNS, {"surfaceflinger_layer"})

#define TB_SURFACE_FLINGER_TRANSACTIONS_COLUMNS(C)                               \
  C(ts, int64_t, Sorted, "ns.")                                                  \
  C(arg_set_id, OptRow, None, "Fields of the message.")                          \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.") \
  C(vsync_id, OptInt, None, "Frame.")
TB_TABLE(SurfaceFlingerTransactionsTable, "__intrinsic_surfaceflinger_transactions",
         "Frames of SurfaceFlinger with their transactions.",
         TB_SURFACE_FLINGER_TRANSACTIONS_COLUMNS, {"surfaceflinger_transactions"})

#define TB_SURFACE_FLINGER_TRANSACTION_COLUMNS(C)                                \
  C(snapshot_id, OptRow, None, "Row of surfaceflinger_transactions.")            \
  C(arg_set_id, OptRow, None, "Fields of the message.")                          \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.") \
  C(transaction_id, OptInt, None, "Number of the transaction.")                  \
  C(pid, OptInt, None, "Process that made it.")                                  \
  C(uid, OptInt, None, "User that made it.")                                     \
  C(layer_id, OptInt, None, "Layer.")                                            \
  C(display_id, OptInt, None, "Display.")                                        \
  C(flags_id, OptInt, None, "flags_id of surfaceflinger_transaction_flag.")      \
  C(transaction_type, StringId, None, "LAYER_CHANGED, DISPLAY_CHANGED, NOOP ...")
TB_TABLE(SurfaceFlingerTransactionTable, "__intrinsic_surfaceflinger_transaction",
         "Changes of layers and displays.", TB_SURFACE_FLINGER_TRANSACTION_COLUMNS)

#define TB_SURFACE_FLINGER_TRANSACTION_FLAG_COLUMNS(C) \
  C(flags_id, OptInt, None, "Number of the set.")      \
  C(flag, StringId, None, "Flag.")
TB_TABLE(SurfaceFlingerTransactionFlagTable, "__intrinsic_surfaceflinger_transaction_flag",
         "What a transaction changes: the flags of one set.",
         TB_SURFACE_FLINGER_TRANSACTION_FLAG_COLUMNS)

#define TB_VIEW_CAPTURE_COLUMNS(C)                                               \
  C(ts, int64_t, Sorted, "ns.")                                                  \
  C(arg_set_id, OptRow, None, "Fields of the message, without views.")           \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.") \
  C(package_name, StringId, None, "Package.")                                    \
  C(window_name, StringId, None, "Window.")
TB_TABLE(ViewCaptureTable, "__intrinsic_viewcapture", "Snapshots of the views of a window.",
         TB_VIEW_CAPTURE_COLUMNS)

#define TB_VIEW_CAPTURE_VIEW_COLUMNS(C)                                          \
  C(snapshot_id, OptRow, None, "Row of viewcapture.")                            \
  C(arg_set_id, OptRow, None, "Fields of the message.")                          \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.") \
  C(node_id, int64_t, None, "Number of the view in the snapshot.")               \
  C(hashcode, int64_t, None, "Hash code.")                                       \
  C(is_visible, uint8_t, None, "1 if it and its parents are visible.")           \
  C(parent_id, int64_t, None, "node_id of the parent.")                          \
  C(view_id, StringId, None, "Resource id.")                                     \
  C(class_name, StringId, None, "Class.")                                        \
  C(trace_rect_id, OptRow, None, "Row of winscope_trace_rect.")
TB_TABLE(ViewCaptureViewTable, "__intrinsic_viewcapture_view", "Views in snapshots.",
         TB_VIEW_CAPTURE_VIEW_COLUMNS)

#define TB_SHELL_TRANSITION_COLUMNS(C)                                          \
  C(ts, int64_t, None, "Time of sending, else of dispatch, ns; no trace time.") \
  C(transition_id, int64_t, None, "Number of the transition.")                  \
  C(arg_set_id, OptRow, None, "Fields of its packets.")                         \
  C(transition_type, OptInt, None, "Kind.")                                     \
  C(send_time_ns, OptInt, None, "ns.")                                          \
  C(dispatch_time_ns, OptInt, None, "ns.")                                      \
  C(duration_ns, OptInt, None, "From dispatch to finish, ns.")                  \
  C(finish_time_ns, OptInt, None, "ns.")                                        \
  C(shell_abort_time_ns, OptInt, None, "ns.")                                   \
  C(wm_abort_time_ns, OptInt, None, "ns.")                                      \
  C(merge_time_ns, OptInt, None, "ns.")                                         \
  C(create_time_ns, OptInt, None, "ns.")                                        \
  C(handler, OptInt, None, "handler_id.")                                       \
  C(status, StringId, None, "merged, played or aborted.")                       \
  C(flags, OptInt, None, "Flags.")                                              \
  C(start_transaction_id, OptInt, None, "Transaction at its start.")            \
  C(finish_transaction_id, OptInt, None, "Transaction at its end.")
TB_TABLE(ShellTransitionTable, "__intrinsic_window_manager_shell_transitions",
         "Transitions between windows.", TB_SHELL_TRANSITION_COLUMNS,
         {"window_manager_shell_transitions"})

#define TB_SHELL_TRANSITION_HANDLER_COLUMNS(C)           \
  C(handler_id, int64_t, None, "Number of the handler.") \
  C(handler_name, StringId, None, "Name.")               \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")
TB_TABLE(ShellTransitionHandlerTable, "__intrinsic_window_manager_shell_transition_handlers",
         "Names of handlers of transitions.", TB_SHELL_TRANSITION_HANDLER_COLUMNS,
         {"window_manager_shell_transition_handlers"})

#define TB_SHELL_TRANSITION_PARTICIPANT_COLUMNS(C)                                        \
  C(transition_id, int64_t, None, "Number of the transition.")                            \
  C(layer_id, OptInt, None, "Layer.")                                                     \
  C(window_id, OptInt, None, "Window.")                                                   \
  C(mode, OptInt, None, "Mode.")                                                          \
  C(flags, OptInt, None, "Flags.")                                                        \
  C(start_display_id, OptInt, None, "Display at the start.")                              \
  C(end_display_id, OptInt, None, "Display at the end.")                                  \
  C(start_rotation, OptInt, None, "Rotation at the start.")                               \
  C(end_rotation, OptInt, None, "Rotation at the end.")                                   \
  C(start_abs_bounds_rect_id, OptRow, None, "Row of winscope_rect: bounds at the start.") \
  C(end_abs_bounds_rect_id, OptRow, None, "Row of winscope_rect: bounds at the end.")
TB_TABLE(ShellTransitionParticipantTable,
         "__intrinsic_window_manager_shell_transition_participants", "Windows in transitions.",
         TB_SHELL_TRANSITION_PARTICIPANT_COLUMNS)

#define TB_SHELL_TRANSITION_PROTO_COLUMNS(C)                   \
  C(transition_id, int64_t, None, "Number of the transition.") \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")
TB_TABLE(ShellTransitionProtoTable, "__intrinsic_window_manager_shell_transition_protos",
         "Packets of transitions.", TB_SHELL_TRANSITION_PROTO_COLUMNS)

#define TB_WINDOW_MANAGER_COLUMNS(C)                                                       \
  C(ts, int64_t, Sorted, "ns.")                                                            \
  C(arg_set_id, OptRow, None, "Fields of the message, without containers below the root.") \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")           \
  C(focused_display_id, int64_t, None, "Display with the focus.")                          \
  C(has_invalid_elapsed_ts, uint8_t, None, "1 if the snapshot has no time since boot.")
TB_TABLE(WindowManagerTable, "__intrinsic_windowmanager", "Snapshots of the window manager.",
         TB_WINDOW_MANAGER_COLUMNS, {"windowmanager"})

#define TB_WINDOW_CONTAINER_COLUMNS(C)                                                    \
  C(snapshot_id, OptRow, None, "Row of windowmanager.")                                   \
  C(arg_set_id, OptRow, None, "Fields of the message, without children.")                 \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")          \
  C(title, StringId, None, "Title.")                                                      \
  C(token, int64_t, None, "Hash code.")                                                   \
  C(parent_token, OptInt, None, "token of the parent.")                                   \
  C(child_index, OptInt, None, "Place among its siblings, from 0.")                       \
  C(is_visible, OptInt, None, "1 if it is visible.")                                      \
  C(window_rect_id, OptRow, None, "Row of winscope_trace_rect, of displays and windows.") \
  C(container_type, StringId, None, "Task, WindowState ...")                              \
  C(name_override, StringId, None, "Name to show.")
TB_TABLE(WindowContainerTable, "__intrinsic_windowmanager_windowcontainer",
         "Containers of windows in snapshots.", TB_WINDOW_CONTAINER_COLUMNS,
         {"windowmanager_windowcontainer"})

#define TB_PROTOLOG_COLUMNS(C)                \
  C(ts, int64_t, Sorted, "ns.")               \
  C(level, StringId, None, "DEBUG, INFO ...") \
  C(tag, StringId, None, "Group.")            \
  C(message, StringId, None, "Text.")         \
  C(stacktrace, StringId, None, "Stack.")     \
  C(location, StringId, None, "Place in the source.")
TB_TABLE(ProtologTable, "__intrinsic_protolog", "Lines of ProtoLog.", TB_PROTOLOG_COLUMNS,
         {"protolog"})

#define TB_MOTION_EVENT_COLUMNS(C)                                               \
  C(event_id, int64_t, None, "Number of the event.")                             \
  C(ts, int64_t, None, "ns.")                                                    \
  C(arg_set_id, OptRow, None, "Fields of the message.")                          \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.") \
  C(source, OptInt, None, "Kind of device.")                                     \
  C(action, OptInt, None, "Action.")                                             \
  C(device_id, OptInt, None, "Device.")                                          \
  C(display_id, OptInt, None, "Display.")
TB_TABLE(MotionEventTable, "__intrinsic_android_motion_events", "Motion events of Android's input.",
         TB_MOTION_EVENT_COLUMNS)

#define TB_KEY_EVENT_COLUMNS(C)                                                  \
  C(event_id, int64_t, None, "Number of the event.")                             \
  C(ts, int64_t, None, "ns.")                                                    \
  C(arg_set_id, OptRow, None, "Fields of the message.")                          \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.") \
  C(source, OptInt, None, "Kind of device.")                                     \
  C(action, OptInt, None, "Action.")                                             \
  C(device_id, OptInt, None, "Device.")                                          \
  C(display_id, OptInt, None, "Display.")                                        \
  C(key_code, OptInt, None, "Key.")
TB_TABLE(KeyEventTable, "__intrinsic_android_key_events", "Key events of Android's input.",
         TB_KEY_EVENT_COLUMNS)

#define TB_INPUT_DISPATCH_COLUMNS(C)                    \
  C(event_id, int64_t, None, "Number of the event.")    \
  C(arg_set_id, OptRow, None, "Fields of the message.") \
  C(vsync_id, int64_t, None, "Frame.")                  \
  C(window_id, int64_t, None, "Window.")                \
  C(base64_proto_id, OptRow, None, "Raw message as base64: number of the text.")
TB_TABLE(InputDispatchTable, "__intrinsic_android_input_event_dispatch",
         "Input events sent to windows.", TB_INPUT_DISPATCH_COLUMNS)

#define TB_WINDOW_TABLES(TABLE, PLAIN)                                                 \
  PLAIN(WinscopeRectTable, winscope_rect)                                              \
  PLAIN(WinscopeTransformTable, winscope_transform)                                    \
  PLAIN(WinscopeTraceRectTable, winscope_trace_rect)                                   \
  PLAIN(WinscopeFillRegionTable, winscope_fill_region)                                 \
  PLAIN(InputMethodClientsTable, inputmethod_clients)                                  \
  PLAIN(InputMethodManagerServiceTable, inputmethod_manager_service)                   \
  PLAIN(InputMethodServiceTable, inputmethod_service)                                  \
  PLAIN(LayersSnapshotTable, surfaceflinger_layers_snapshot)                           \
  PLAIN(SurfaceFlingerDisplayTable, surfaceflinger_display)                            \
  PLAIN(SurfaceFlingerLayerTable, surfaceflinger_layer)                                \
  PLAIN(SurfaceFlingerTransactionsTable, surfaceflinger_transactions)                  \
  PLAIN(SurfaceFlingerTransactionTable, surfaceflinger_transaction)                    \
  PLAIN(SurfaceFlingerTransactionFlagTable, surfaceflinger_transaction_flag)           \
  PLAIN(ViewCaptureTable, viewcapture)                                                 \
  PLAIN(ViewCaptureViewTable, viewcapture_view)                                        \
  PLAIN(ShellTransitionTable, window_manager_shell_transitions)                        \
  PLAIN(ShellTransitionHandlerTable, window_manager_shell_transition_handlers)         \
  PLAIN(ShellTransitionParticipantTable, window_manager_shell_transition_participants) \
  PLAIN(ShellTransitionProtoTable, window_manager_shell_transition_protos)             \
  PLAIN(WindowManagerTable, windowmanager)                                             \
  PLAIN(WindowContainerTable, windowmanager_windowcontainer)                           \
  PLAIN(ProtologTable, protolog)                                                       \
  PLAIN(MotionEventTable, android_motion_events)                                       \
  PLAIN(KeyEventTable, android_key_events)                                             \
  PLAIN(InputDispatchTable, android_input_event_dispatch)

}  // namespace tracebraid
