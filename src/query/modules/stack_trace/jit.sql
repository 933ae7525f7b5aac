-- Code that just-in-time compilers made.

-- Machine code that just-in-time compilers made, one row for each function.
CREATE PERFETTO VIEW jit_code(
  -- Row number.
  id LONG,
  -- When the code was made, ns.
  create_ts TIMESTAMP,
  -- When the code was replaced by other code at its address, ns; an estimate.
  estimated_delete_ts TIMESTAMP,
  -- Thread that made the code.
  utid JOINID(thread.id),
  -- Address of the first byte.
  start_address LONG,
  -- Size, bytes.
  size LONG,
  -- Name of the function.
  function_name STRING,
  -- Machine code, as base64.
  native_code_base64 STRING
) AS
SELECT
  id, create_ts, estimated_delete_ts, utid, start_address, size, function_name, native_code_base64
FROM __intrinsic_jit_code;

-- Frames of callstacks in such code.
CREATE PERFETTO VIEW jit_frame(
  -- Row number.
  id LONG,
  -- Code.
  jit_code_id JOINID(jit_code.id),
  -- Frame.
  frame_id JOINID(stack_profile_frame.id)
) AS
SELECT id, jit_code_id, frame_id FROM __intrinsic_jit_frame;
