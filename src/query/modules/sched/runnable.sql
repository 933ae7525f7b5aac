-- The runnable state from which a thread came to run.

-- The runnable states before each closed Running state.
CREATE PERFETTO TABLE sched_previous_runnable_on_thread(
  -- Running state.
  id ID(thread_state.id),
  -- Last runnable state of the thread before it.
  prev_runnable_id JOINID(thread_state.id),
  -- Last runnable state of the thread before it that a wakeup outside of interrupts began.
  prev_wakeup_runnable_id JOINID(thread_state.id)
) AS
WITH numbered AS (
  SELECT
    id, state,
    max(iif(state GLOB 'R*' AND state != 'Running', id, NULL)) OVER earlier AS prev_runnable_id,
    max(iif(
      state GLOB 'R*' AND state != 'Running' AND waker_utid IS NOT NULL
        AND (irq_context IS NULL OR irq_context != 1),
      id, NULL
    )) OVER earlier AS prev_wakeup_runnable_id
  FROM thread_state
  WHERE dur != -1
  WINDOW earlier AS (PARTITION BY utid ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
SELECT id, prev_runnable_id, prev_wakeup_runnable_id
FROM numbered
WHERE state = 'Running'
ORDER BY id;
