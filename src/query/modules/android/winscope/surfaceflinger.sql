-- Layers, displays and transactions of SurfaceFlinger.

-- Changes of layers and displays.
CREATE PERFETTO VIEW android_surfaceflinger_transaction(
  -- Row number.
  id LONG,
  -- Row of the snapshot.
  snapshot_id LONG,
  -- Args of the message.
  arg_set_id LONG,
  -- Number of the transaction.
  transaction_id LONG,
  -- Process number of the operating system.
  pid LONG,
  -- User id.
  uid LONG,
  -- Number of the layer.
  layer_id LONG,
  -- Number of the display.
  display_id LONG,
  -- Set of android_surfaceflinger_transaction_flag.
  flags_id LONG,
  -- Kind of the change.
  transaction_type STRING
) AS
SELECT
  id, snapshot_id, arg_set_id, transaction_id, pid, uid, layer_id, display_id, flags_id,
  transaction_type
FROM __intrinsic_surfaceflinger_transaction;

-- Flags of changes.
CREATE PERFETTO VIEW android_surfaceflinger_transaction_flag(
  -- Set of android_surfaceflinger_transaction_flag.
  flags_id LONG,
  -- Name of the flag.
  flag STRING
) AS
SELECT flags_id, flag
FROM __intrinsic_surfaceflinger_transaction_flag;

-- Displays of each snapshot of layers.
CREATE PERFETTO VIEW android_surfaceflinger_display(
  -- Row number.
  id LONG,
  -- Row of the snapshot.
  snapshot_id LONG,
  -- 1 if it is on.
  is_on LONG,
  -- 1 if it is virtual.
  is_virtual LONG,
  -- Row of android_winscope_trace_rect.
  trace_rect_id LONG,
  -- Number of the display.
  display_id LONG,
  -- Name of the display.
  display_name STRING
) AS
SELECT id, snapshot_id, is_on, is_virtual, trace_rect_id, display_id, display_name
FROM __intrinsic_surfaceflinger_display;

-- Regions of layers that take touches.
CREATE PERFETTO VIEW android_winscope_fill_region(
  -- Row number.
  id LONG,
  -- Row of android_winscope_trace_rect.
  trace_rect_id LONG,
  -- Row of android_winscope_rect.
  rect_id LONG
) AS
SELECT id, trace_rect_id, rect_id
FROM __intrinsic_winscope_fill_region;
