-- Contexts of GPUs.

-- Graphics contexts and the processes that own them.
CREATE PERFETTO VIEW gpu_context(
  -- Row number.
  id ID,
  -- Number of the context.
  context_id LONG,
  -- Process number of the operating system.
  pid LONG,
  -- Graphics interface.
  api STRING
) AS
SELECT id, context_id, pid, api FROM __intrinsic_gpu_context;
