-- Tasks of Chrome's threads: what its schedulers ran, with names that tell the work.

INCLUDE PERFETTO MODULE slices.with_context;

-- 1 if a slice of the name is around a slice.
CREATE PERFETTO FUNCTION _has_parent_slice_with_name(
  -- Slice.
  id LONG,
  -- Name of the slice around it.
  parent_name STRING
)
-- 1 or 0.
RETURNS BOOL AS
SELECT EXISTS(SELECT 1 FROM ancestor_slice($id) WHERE name = $parent_name);

-- The hash of the message of a slice of Mojo.
CREATE PERFETTO FUNCTION _extract_mojo_ipc_hash(
  -- Slice.
  slice_id LONG
)
-- Hash; NULL without a message.
RETURNS LONG AS
SELECT extract_arg(arg_set_id, 'chrome_mojo_event_info.ipc_hash') FROM slice WHERE id = $slice_id;

-- The kind of frame of a navigation: main frame, subframe ...
CREATE PERFETTO FUNCTION _extract_frame_type(
  -- Slice.
  slice_id LONG
)
-- Kind of frame; NULL for other slices.
RETURNS STRING AS
SELECT extract_arg(arg_set_id, 'render_frame_host.frame_type') FROM slice WHERE id = $slice_id;

-- The name of a step of a navigation for people.
CREATE PERFETTO FUNCTION _human_readable_navigation_task_name(
  -- Name of the function.
  task_name STRING
)
-- Text; NULL for other functions.
RETURNS STRING AS
SELECT CASE
  WHEN $task_name GLOB '*RenderFrameHostImpl::BeginNavigation*' THEN 'RenderFrameHostImpl::BeginNavigation'
  WHEN $task_name GLOB '*RenderFrameHostImpl::DidCommitProvisionalLoad*'
    THEN 'RenderFrameHostImpl::DidCommitProvisionalLoad'
  WHEN $task_name GLOB '*RenderFrameHostImpl::DidCommitSameDocumentNavigation*'
    THEN 'RenderFrameHostImpl::DidCommitSameDocumentNavigation'
  WHEN $task_name GLOB '*RenderFrameHostImpl::DidStopLoading*' THEN 'RenderFrameHostImpl::DidStopLoading'
END;

-- The name of a task of a scheduler: where it was posted.
CREATE PERFETTO FUNCTION _format_scheduler_task_name(
  -- File and function, as file:function.
  task_name STRING
)
-- Name.
RETURNS STRING AS
SELECT 'RunTask(posted_from=' || $task_name || ')';

-- 1 if slices of the category are those of Java below a task.
CREATE PERFETTO FUNCTION _java_not_top_level_category(
  -- Categories, separated by commas.
  category STRING
)
-- 1 or 0.
RETURNS BOOL AS
SELECT $category GLOB '*Java*' AND $category NOT GLOB '*toplevel*';

-- 1 if slices of the category are tasks.
CREATE PERFETTO FUNCTION _any_top_level_category(
  -- Categories, separated by commas.
  category STRING
)
-- 1 or 0.
RETURNS BOOL AS
SELECT $category IN ('toplevel', 'toplevel,viz', 'toplevel,Java') OR $category GLOB 'toplevel*';

-- The kind of a task of Java views.
CREATE PERFETTO FUNCTION _get_java_views_task_type(
  -- Kind of the slice: Choreographer, Toolbar ...
  kind STRING
)
-- Kind of the task.
RETURNS STRING AS
SELECT iif($kind = 'Choreographer', 'choreographer', 'ui_thread_begin_main_frame');

-- Where a task was posted: file:function.
CREATE PERFETTO FUNCTION _get_posted_from(
  -- Args of the task.
  arg_set_id ARGSETID
)
-- Text; NULL if not known.
RETURNS STRING AS
SELECT coalesce(
  extract_arg($arg_set_id, 'task.posted_from.file_name') || ':'
    || extract_arg($arg_set_id, 'task.posted_from.function_name'),
  extract_arg($arg_set_id, 'task.posted_from')
);

-- Slices of Mojo: id, interface_name, message_name, is_reply, task_name.
CREATE PERFETTO TABLE _chrome_mojo_slices AS
WITH mojo AS (
  SELECT
    id,
    extract_arg(arg_set_id, 'chrome_mojo_event_info.mojo_interface_tag') AS interface_name,
    extract_arg(arg_set_id, 'chrome_mojo_event_info.ipc_hash') AS ipc_hash,
    coalesce(extract_arg(arg_set_id, 'chrome_mojo_event_info.is_reply'), 0) AS is_reply,
    name
  FROM slice
  WHERE category GLOB '*toplevel*' OR category GLOB '*mojom*'
)
SELECT
  id, interface_name, name AS message_name, ipc_hash, is_reply,
  printf(
    '%s %s (hash=%d)', interface_name, iif(is_reply, 'reply', 'message'), coalesce(ipc_hash, 0)
  ) AS task_name
FROM mojo
WHERE interface_name IS NOT NULL
ORDER BY id;

-- The first slice of Mojo below a slice, or the slice itself.
CREATE PERFETTO FUNCTION _get_descendant_mojo_slice_candidate(
  -- Slice.
  slice_id LONG
)
-- Slice of Mojo; NULL without one.
RETURNS LONG AS
SELECT min(m.id)
FROM _chrome_mojo_slices AS m
WHERE m.id = $slice_id OR m.id IN (SELECT id FROM descendant_slice($slice_id));

-- The name of the first message of Mojo below a slice.
CREATE PERFETTO FUNCTION _descendant_mojo_slice(
  -- Slice.
  slice_id LONG
)
RETURNS TABLE(
  -- Name of the message.
  task_name STRING
) AS
SELECT task_name
FROM _chrome_mojo_slices
WHERE id = _get_descendant_mojo_slice_candidate($slice_id);

-- Outermost slices of Java views below frames: id, kind, ts, dur, name.
CREATE PERFETTO FUNCTION _select_begin_main_frame_java_slices(
  -- Name of the slice around them.
  name STRING
)
RETURNS TABLE(
  -- Slice of the frame.
  id LONG,
  -- Kind: the name of the slice around them.
  kind STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the slice.
  name STRING
) AS
SELECT s.id, $name AS kind, s.ts, s.dur, s.name
FROM slice AS s
WHERE s.name = $name AND _any_top_level_category(s.category);

-- Slices of Java views: id, name, the slice below which they are.
CREATE PERFETTO TABLE _chrome_java_views AS
SELECT
  s.id, s.ts, s.dur, s.name, s.parent_id,
  -- Names have the class and the method: "Class.method".
  str_split(str_split(s.name, '(', 0), ' ', 0) AS filtered_name,
  s.name GLOB '*SoftwareScreenshot*' OR s.name GLOB '*Software screenshot*' AS is_software_screenshot,
  s.name GLOB '*HardwareScreenshot*' OR s.name GLOB '*Hardware screenshot*' AS is_hardware_screenshot
FROM slice AS s
WHERE _java_not_top_level_category(s.category) AND s.dur > 0
  AND s.name NOT GLOB 'Looper.dispatch*'
ORDER BY s.id;

-- Slices of Java views of Chrome on Android.
CREATE PERFETTO VIEW chrome_java_views(
  -- Name without arguments.
  filtered_name STRING,
  -- 1 if the view draws a screenshot on the CPU.
  is_software_screenshot BOOL,
  -- 1 if the view draws a screenshot on the GPU.
  is_hardware_screenshot BOOL,
  -- Slice.
  slice_id LONG
) AS
SELECT filtered_name, is_software_screenshot, is_hardware_screenshot, id AS slice_id
FROM _chrome_java_views;

-- Frames of the UI thread: slices Choreographer#doFrame and those of Java views around them.
CREATE PERFETTO VIEW _chrome_choreographer_tasks AS
SELECT
  id, 'Choreographer' AS kind, ts, dur, name
FROM slice
WHERE name GLOB 'Looper.dispatch: android.view.Choreographer$FrameHandler*';

-- Frames with the names of the Java views below them.
CREATE PERFETTO VIEW _chrome_slices_with_java_views AS
WITH frame AS (
  SELECT id, kind, ts, dur, name FROM _chrome_choreographer_tasks
  UNION ALL
  SELECT id, kind, ts, dur, name
  FROM _select_begin_main_frame_java_slices('SingleThreadProxy::BeginMainFrame')
),
view_of AS (
  SELECT frame.id, v.filtered_name
  FROM frame
  JOIN descendant_slice(frame.id) AS d
  JOIN _chrome_java_views AS v ON v.id = d.id
  LEFT JOIN _chrome_java_views AS outer_view ON outer_view.id = v.parent_id
  WHERE outer_view.id IS NULL
)
SELECT
  frame.id, frame.kind, frame.ts, frame.dur, frame.name,
  group_concat(DISTINCT view_of.filtered_name) AS java_views
FROM frame
LEFT JOIN view_of ON view_of.id = frame.id
GROUP BY frame.id;

-- Tasks that Chrome's schedulers ran.
CREATE PERFETTO TABLE _chrome_scheduler_tasks AS
SELECT
  s.id, s.name, s.ts, s.dur, s.utid, s.thread_name, s.upid, s.process_name, s.track_id, s.category,
  s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur,
  _get_posted_from(s.arg_set_id) AS posted_from
FROM thread_slice AS s
WHERE s.category GLOB '*toplevel*'
  AND (
    s.name IN (
      'ThreadControllerImpl::RunTask', 'ThreadPool_RunTask', 'TaskGraphRunner::RunTask',
      'ThreadController active'
    )
    OR s.name GLOB '*RunTask*'
  )
  AND extract_arg(s.arg_set_id, 'task.posted_from.function_name') IS NOT NULL
ORDER BY s.id;

-- Tasks that Chrome's schedulers ran, with the place that posted them.
CREATE PERFETTO VIEW chrome_scheduler_tasks(
  -- Slice.
  id LONG,
  -- Kind of slice: task.
  type STRING,
  -- Name: RunTask(posted_from=FILE:FUNCTION).
  name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Thread.
  utid LONG,
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid LONG,
  -- Name of the process.
  process_name STRING,
  -- Track.
  track_id LONG,
  -- Category.
  category STRING,
  -- Depth on the track.
  depth LONG,
  -- Slice around it.
  parent_id LONG,
  -- Args.
  arg_set_id LONG,
  -- Start by the clock of the thread's CPU time.
  thread_ts TIMESTAMP,
  -- CPU time, ns.
  thread_dur DURATION,
  -- File and function that posted the task.
  posted_from STRING
) AS
SELECT
  id, 'task' AS type, _format_scheduler_task_name(posted_from) AS name, ts, dur, utid, thread_name,
  upid, process_name, track_id, category, depth, parent_id, arg_set_id, thread_ts, thread_dur,
  posted_from
FROM _chrome_scheduler_tasks;

-- All tasks: id, task_type, full_name, name.
CREATE PERFETTO TABLE _chrome_tasks AS
WITH
  top AS MATERIALIZED (
    SELECT s.*
    FROM thread_slice AS s
    WHERE _any_top_level_category(s.category)
      AND NOT EXISTS (
        SELECT 1 FROM ancestor_slice(s.id) AS a WHERE _any_top_level_category(a.category)
      )
  ),
  named AS (
    SELECT
      top.id,
      (SELECT task_name FROM _descendant_mojo_slice(top.id)) AS mojo_name,
      scheduler.posted_from,
      views.kind, views.java_views
    FROM top
    LEFT JOIN _chrome_scheduler_tasks AS scheduler ON scheduler.id = top.id
    LEFT JOIN _chrome_slices_with_java_views AS views ON views.id = top.id
  )
SELECT
  top.id,
  CASE
    WHEN named.kind IS NOT NULL THEN _get_java_views_task_type(named.kind)
    WHEN named.mojo_name IS NOT NULL THEN 'mojo'
    WHEN _human_readable_navigation_task_name(named.posted_from) IS NOT NULL THEN 'navigation_task'
    WHEN named.posted_from IS NOT NULL THEN 'scheduler'
    ELSE 'other'
  END AS task_type,
  coalesce(
    named.kind || iif(named.java_views IS NULL, '', '(' || named.java_views || ')'),
    named.mojo_name,
    _human_readable_navigation_task_name(named.posted_from),
    _format_scheduler_task_name(named.posted_from),
    top.name
  ) AS full_name,
  top.name, top.thread_name, top.utid, top.process_name, top.upid, top.ts, top.dur, top.track_id,
  top.category, top.arg_set_id, top.thread_ts, top.thread_dur
FROM top
JOIN named ON named.id = top.id
ORDER BY top.id;

-- Outermost tasks of all threads of Chrome.
CREATE PERFETTO VIEW chrome_tasks(
  -- Slice.
  id LONG,
  -- Name that is the same for equal work.
  name STRING,
  -- mojo, scheduler, navigation_task, choreographer, ui_thread_begin_main_frame or other.
  task_type STRING,
  -- Name of the thread.
  thread_name STRING,
  -- Thread.
  utid LONG,
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track.
  track_id LONG,
  -- Category.
  category STRING,
  -- Args.
  arg_set_id LONG,
  -- Start by the clock of the thread's CPU time.
  thread_ts TIMESTAMP,
  -- CPU time, ns.
  thread_dur DURATION,
  -- Name with details: views, message, place that posted the task.
  full_name STRING
) AS
SELECT
  id, iif(task_type = 'mojo', str_split(full_name, ' (hash', 0), full_name) AS name, task_type,
  thread_name, utid, process_name, upid, ts, dur, track_id, category, arg_set_id, thread_ts,
  thread_dur, full_name
FROM _chrome_tasks;
