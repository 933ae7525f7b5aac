-- Layers, displays and transactions of SurfaceFlinger.

-- Transactions.
CREATE PERFETTO VIEW android_surfaceflinger_transaction(
  -- Row number.
  id LONG,
  -- Snapshot.
  snapshot_id LONG,
  -- Args.
  arg_set_id LONG,
  -- Number of the transaction.
  transaction_id LONG,
  -- Process number of the sender.
  pid LONG,
  -- User id of the sender.
  uid LONG,
  -- Layer.
  layer_id LONG,
  -- Display.
  display_id LONG,
  -- Set of flags.
  flags_id LONG,
  -- Kind of the change.
  transaction_type STRING
) AS
SELECT
  id, snapshot_id, arg_set_id, transaction_id, pid, uid, layer_id, display_id, flags_id,
  transaction_type
FROM __intrinsic_surfaceflinger_transaction;

-- Flags of transactions.
CREATE PERFETTO VIEW android_surfaceflinger_transaction_flag(
  -- Set of flags.
  flags_id LONG,
  -- Flag.
  flag STRING
) AS
SELECT flags_id, flag FROM __intrinsic_surfaceflinger_transaction_flag;

-- Displays.
CREATE PERFETTO VIEW android_surfaceflinger_display(
  -- Row number.
  id LONG,
  -- Snapshot.
  snapshot_id LONG,
  -- 1 if the display is on.
  is_on LONG,
  -- 1 for a virtual display.
  is_virtual LONG,
  -- Rectangle of the display.
  trace_rect_id LONG,
  -- Number of the display.
  display_id LONG,
  -- Name of the display.
  display_name STRING
) AS
SELECT id, snapshot_id, is_on, is_virtual, trace_rect_id, display_id, display_name
FROM __intrinsic_surfaceflinger_display;

-- Rectangles that fill a region of a drawn rectangle.
CREATE PERFETTO VIEW android_winscope_fill_region(
  -- Row number.
  id LONG,
  -- Drawn rectangle.
  trace_rect_id LONG,
  -- Rectangle.
  rect_id LONG
) AS
SELECT id, trace_rect_id, rect_id FROM __intrinsic_winscope_fill_region;
