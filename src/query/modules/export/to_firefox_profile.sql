-- The trace as a profile of the Firefox Profiler (JSON, preprocessed format).

-- One JSON object for each frame function: index of its name, resource and address as the format
-- keeps them in columns.
CREATE PERFETTO TABLE _firefox_frame AS
SELECT
  f.id, coalesce(f.deobfuscated_name, f.name, 'unknown') AS function_name,
  coalesce(m.name, '') AS module_name
FROM stack_profile_frame AS f
LEFT JOIN stack_profile_mapping AS m ON m.id = f.mapping
ORDER BY f.id;

-- Strings of functions and modules, numbered from 0.
CREATE PERFETTO TABLE _firefox_string AS
SELECT name, row_number() OVER (ORDER BY name) - 1 AS string_id
FROM (SELECT function_name AS name FROM _firefox_frame UNION SELECT module_name FROM _firefox_frame)
ORDER BY name;

-- Samples with their thread.
CREATE PERFETTO TABLE _firefox_sample AS
SELECT task.utid, s.ts, s.callsite_id
FROM __intrinsic_profiler_sample AS s
JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
WHERE s.callsite_id IS NOT NULL AND task.utid IS NOT NULL
ORDER BY task.utid, s.ts;

-- Profile with the callstack samples of all threads. Write it to a file and open that in the
-- Firefox Profiler. Frames and stacks are listed once for each thread, as the format demands.
CREATE PERFETTO FUNCTION export_to_firefox_profile()
-- The profile as JSON text.
RETURNS STRING AS
WITH
  string_table AS (
    SELECT json_group_array(name) AS list
    FROM (SELECT name FROM _firefox_string ORDER BY string_id)
  ),
  func AS (
    SELECT
      json_object(
        'length', count(*),
        'name', json_group_array(name_id),
        'isJS', json_group_array(json('false')),
        'relevantForJS', json_group_array(json('false')),
        'resource', json_group_array(-1),
        'fileName', json_group_array(module_id),
        'lineNumber', json_group_array(NULL),
        'columnNumber', json_group_array(NULL)
      ) AS func_table,
      json_object(
        'length', count(*),
        'address', json_group_array(-1),
        'inlineDepth', json_group_array(0),
        'category', json_group_array(0),
        'subcategory', json_group_array(0),
        'func', json_group_array(id),
        'nativeSymbol', json_group_array(NULL),
        'innerWindowID', json_group_array(0),
        'line', json_group_array(NULL),
        'column', json_group_array(NULL)
      ) AS frame_table
    FROM (
      SELECT f.id, n.string_id AS name_id, m.string_id AS module_id
      FROM _firefox_frame AS f
      JOIN _firefox_string AS n ON n.name = f.function_name
      JOIN _firefox_string AS m ON m.name = f.module_name
      ORDER BY f.id
    )
  ),
  stack AS (
    SELECT json_object(
      'length', count(*),
      'frame', json_group_array(frame_id),
      'category', json_group_array(0),
      'subcategory', json_group_array(0),
      'prefix', json_group_array(parent_id)
    ) AS stack_table
    FROM (SELECT id, frame_id, parent_id FROM stack_profile_callsite ORDER BY id)
  ),
  sample AS (
    SELECT utid, json_object(
      'length', count(*),
      'stack', json_group_array(callsite_id),
      'time', json_group_array(ts / 1e6),
      'weight', NULL,
      'weightType', 'samples'
    ) AS samples
    FROM _firefox_sample
    GROUP BY utid
  ),
  threads AS (
    SELECT json_group_array(json_object(
      'processType', 'default',
      'processStartupTime', 0,
      'processShutdownTime', NULL,
      'registerTime', 0,
      'unregisterTime', NULL,
      'pausedRanges', json('[]'),
      'name', coalesce(t.name, 'Thread ' || t.tid),
      'isMainThread', json(iif(t.is_main_thread, 'true', 'false')),
      'processName', coalesce(p.name, ''),
      'pid', CAST(coalesce(p.pid, 0) AS TEXT),
      'tid', t.tid,
      'samples', json(sample.samples),
      'markers', json(
        '{"length":0,"data":[],"name":[],"startTime":[],"endTime":[],"phase":[],"category":[]}'
      ),
      'stackTable', json((SELECT stack_table FROM stack)),
      'frameTable', json((SELECT frame_table FROM func)),
      'funcTable', json((SELECT func_table FROM func)),
      'resourceTable', json('{"length":0,"lib":[],"name":[],"host":[],"type":[]}'),
      'nativeSymbols', json(
        '{"length":0,"libIndex":[],"address":[],"name":[],"functionSize":[]}'
      ),
      'stringArray', json((SELECT list FROM string_table))
    )) AS list
    FROM sample
    JOIN thread AS t USING (utid)
    LEFT JOIN process AS p USING (upid)
  )
SELECT json_object(
  'meta', json_object(
    'interval', 1, 'startTime', 0, 'processType', 0, 'product', 'tracebraid', 'stackwalk', 1,
    'version', 27, 'preprocessedProfileVersion', 48, 'symbolicated', json('true'),
    'markerSchema', json('[]'),
    'categories', json(
      '[{"name":"Other","color":"grey","subcategories":["Other"]}]'
    )
  ),
  'libs', json('[]'),
  'pages', json('[]'),
  'threads', json(threads.list)
)
FROM threads;
