-- What the stages of EventLatency slices of Chrome are.

-- Stages, by the name of their slice.
CREATE PERFETTO TABLE chrome_event_latency_stage_descriptions(
  -- Name of the slice.
  name STRING,
  -- What happens in the stage.
  description STRING
) AS
WITH stage(name, description) AS (
  VALUES
    ('EventLatency', 'The whole way of an input event, until its effect is visible.'),
    ('GenerationToBrowserMain', 'From the time of the event in the operating system until the main thread of the browser takes it.'),
    ('GenerationToRendererCompositor', 'From the time of the event until the compositor thread of the renderer takes it.'),
    ('TouchRendererHandlingToBrowserMain', 'The page handles a touch; then the browser decides whether the touch scrolls.'),
    ('BrowserMainToRendererCompositor', 'From the main thread of the browser to the compositor thread of the renderer.'),
    ('RendererCompositorQueueingDelay', 'The event waits in the queue of the compositor thread.'),
    ('RendererCompositorToMain', 'From the compositor thread to the main thread of the renderer.'),
    ('RendererCompositorProcessing', 'The compositor thread handles the event.'),
    ('RendererMainProcessing', 'The main thread of the renderer handles the event, with the handlers of the page.'),
    ('RendererCompositorFinishedToBeginImplFrame', 'From the end of the handling until the compositor begins a frame.'),
    ('RendererCompositorFinishedToSendBeginMainFrame', 'From the end of the handling until the compositor asks the main thread for a frame.'),
    ('RendererCompositorFinishedToCommit', 'From the end of the handling until the main thread hands its frame over.'),
    ('RendererCompositorFinishedToEndCommit', 'From the end of the handling until the frame of the main thread is taken over.'),
    ('RendererCompositorFinishedToActivation', 'From the end of the handling until the new layers are active.'),
    ('RendererCompositorFinishedToEndActivate', 'From the end of the handling until the activation of layers ends.'),
    ('RendererCompositorFinishedToSubmitCompositorFrame', 'From the end of the handling until the compositor submits a frame.'),
    ('RendererMainFinishedToBeginImplFrame', 'From the end of the handling in the main thread until the compositor begins a frame.'),
    ('RendererMainFinishedToSendBeginMainFrame', 'From the end of the handling in the main thread until a frame of it is asked for.'),
    ('RendererMainFinishedToCommit', 'From the end of the handling in the main thread until it hands its frame over.'),
    ('BeginImplFrameToSendBeginMainFrame', 'From the begin of a frame in the compositor until the main thread is asked for its part.'),
    ('SendBeginMainFrameToCommit', 'The main thread makes its part of the frame.'),
    ('Commit', 'The compositor takes over the frame of the main thread.'),
    ('EndCommitToActivation', 'From the takeover until the new layers are active: raster work.'),
    ('Activation', 'The compositor activates the new layers.'),
    ('EndActivateToSubmitCompositorFrame', 'From the activation until the compositor submits the frame.'),
    ('SubmitCompositorFrameToPresentationCompositorFrame', 'From the submission of the frame until it is visible.'),
    ('SubmitToReceiveCompositorFrame', 'The frame is on the way to the display compositor (viz).'),
    ('ReceiveCompositorFrameToStartDraw', 'The frame waits in the display compositor until it draws.'),
    ('StartDrawToSwapStart', 'The display compositor draws, up to the swap of buffers.'),
    ('SwapStartToBufferAvailable', 'Until the display has a free buffer.'),
    ('BufferAvailableToBufferReady', 'The graphics processor fills the buffer.'),
    ('BufferReadyToLatch', 'The full buffer waits for the display.'),
    ('LatchToSwapEnd', 'The display takes the buffer.'),
    ('SwapEndToPresentationCompositorFrame', 'From the swap of buffers until the frame is visible.')
)
SELECT name, description FROM stage;
