-- Where to look for the cause of a slow stage of an input event of Chrome.

INCLUDE PERFETTO MODULE chrome.event_latency_description;

-- Stages with the process and the thread that do their work.
CREATE PERFETTO TABLE chrome_scroll_jank_cause_descriptions(
  -- Stage: name of the slice below EventLatency.
  event_latency_stage STRING,
  -- Process.
  cause_process STRING,
  -- Thread.
  cause_thread STRING,
  -- What may have taken the time.
  cause_description STRING
) AS
WITH cause(event_latency_stage, cause_process, cause_thread, cause_description) AS (
  VALUES
    ('GenerationToBrowserMain', 'Browser', 'CrBrowserMain', 'The main thread of the browser was busy.'),
    ('GenerationToBrowserMain', 'System', 'InputDispatcher', 'The operating system delivered the event late.'),
    ('TouchRendererHandlingToBrowserMain', 'Renderer', 'CrRendererMain', 'A touch handler of the page took long.'),
    ('BrowserMainToRendererCompositor', 'Browser', 'CrBrowserMain', 'The main thread of the browser was busy.'),
    ('BrowserMainToRendererCompositor', 'Renderer', 'Compositor', 'The compositor thread was busy.'),
    ('RendererCompositorQueueingDelay', 'Renderer', 'Compositor', 'Tasks before the event took long.'),
    ('RendererCompositorToMain', 'Renderer', 'CrRendererMain', 'The main thread of the renderer was busy.'),
    ('RendererCompositorProcessing', 'Renderer', 'Compositor', 'Handling the event took long.'),
    ('RendererMainProcessing', 'Renderer', 'CrRendererMain', 'A handler of the page took long.'),
    ('RendererCompositorFinishedToBeginImplFrame', 'GPU', 'VizCompositorThread', 'The display compositor asked for a frame late.'),
    ('SendBeginMainFrameToCommit', 'Renderer', 'CrRendererMain', 'Scripts, style, layout or paint took long.'),
    ('EndCommitToActivation', 'Renderer', 'CompositorTileWorker', 'Raster work took long.'),
    ('EndActivateToSubmitCompositorFrame', 'Renderer', 'Compositor', 'Making the frame took long.'),
    ('SubmitToReceiveCompositorFrame', 'GPU', 'VizCompositorThread', 'The display compositor was busy.'),
    ('ReceiveCompositorFrameToStartDraw', 'GPU', 'VizCompositorThread', 'The display compositor waited for frames of other surfaces, or for its deadline.'),
    ('StartDrawToSwapStart', 'GPU', 'VizCompositorThread', 'Drawing took long.'),
    ('StartDrawToSwapStart', 'GPU', 'CrGpuMain', 'The GPU thread was busy.'),
    ('SwapStartToBufferAvailable', 'GPU', 'CrGpuMain', 'All buffers were in use.'),
    ('BufferAvailableToBufferReady', 'GPU', 'Graphics processor', 'The graphics processor was busy.'),
    ('BufferReadyToLatch', 'System', 'SurfaceFlinger', 'The display took the buffer late.'),
    ('LatchToSwapEnd', 'System', 'SurfaceFlinger', 'The display was slow.'),
    ('SwapEndToPresentationCompositorFrame', 'System', 'SurfaceFlinger', 'The display showed the frame late.')
)
SELECT event_latency_stage, cause_process, cause_thread, cause_description FROM cause;

-- The stages with their descriptions and causes; a row for each cause.
CREATE PERFETTO VIEW chrome_scroll_jank_causes_with_event_latencies(
  -- Stage.
  name STRING,
  -- What happens in the stage.
  description STRING,
  -- Process; NULL if no cause is known.
  cause_process STRING,
  -- Thread.
  cause_thread STRING,
  -- What may have taken the time.
  cause_description STRING
) AS
SELECT s.name, s.description, c.cause_process, c.cause_thread, c.cause_description
FROM chrome_event_latency_stage_descriptions AS s
LEFT JOIN chrome_scroll_jank_cause_descriptions AS c ON c.event_latency_stage = s.name;
