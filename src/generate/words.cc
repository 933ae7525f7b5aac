// The names of synthetic programs.
#include "generate/workload.h"

namespace tracebraid::generate {
namespace {

using Words = std::string_view[];

constexpr Words kBrowserProcesses = {"Browser", "Renderer", "GPU Process", "Network Service"};
constexpr Words kBrowserThreads = {"Compositor", "IOThread", "ThreadPoolWorker", "VideoDecoder",
                                   "AudioRenderer"};
constexpr Words kBrowserSlices = {
    "RunTask",        "Layout",           "Paint",           "ParseHTML",      "FunctionCall",
    "EvaluateScript", "UpdateLayoutTree", "CompositeLayers", "DecodeImage",    "ResourceRequest",
    "TimerFire",      "EventDispatch",    "MinorGC",         "MajorGC",        "RasterTask",
    "DrawFrame",      "CommitLoad",       "XHRReadyState",   "V8.CompileCode", "HitTest"};
constexpr Words kBrowserCategories = {
    "toplevel", "devtools.timeline", "blink,benchmark", "v8", "cc", "ipc,viz"};
constexpr Words kBrowserCounters = {"JSHeapUsed", "Documents", "Nodes", "Listeners"};
constexpr Words kBrowserTexts = {"https://example.org/index.html",
                                 "https://example.org/static/app.js?v=12",
                                 "https://cdn.example.org/fonts/body.woff2",
                                 "image/webp",
                                 "visible",
                                 "main frame",
                                 "a \"quoted\" title",
                                 "scheduler.cc"};
constexpr Words kBrowserKeys = {"url", "frame", "line", "bytes", "src_file", "priority", "request"};

constexpr Words kPhoneProcesses = {"com.example.mail", "system_server", "surfaceflinger",
                                   "com.example.health"};
constexpr Words kPhoneThreads = {"RenderThread", "Binder:1", "HeapTaskDaemon", "work-pool",
                                 "bluetooth"};
constexpr Words kPhoneSlices = {
    "Choreographer#doFrame", "draw",  "measure", "layout", "inflate",   "binder transaction", "GC",
    "decodeBitmap",          "query", "commit",  "onBind", "syncFolder"};
constexpr Words kPhoneCategories = {"gfx", "view", "binder", "dalvik", "database"};
constexpr Words kPhoneCounters = {"heap size", "pending frames", "open cursors"};
constexpr Words kPhoneTexts = {"inbox", "settings", "com.example.mail/.Main", "portrait"};
constexpr Words kPhoneKeys = {"view", "rows", "target", "frame", "bytes"};

constexpr Words kWatchProcesses = {"watchd", "faces"};
constexpr Words kWatchThreads = {"radio", "sensor", "display"};
constexpr Words kWatchSlices = {"readHeartRate", "drawFace",     "decodePacket",
                                "vibrate",       "flushSamples", "updateTile"};
constexpr Words kWatchCategories = {"sensor", "display", "radio"};
constexpr Words kWatchCounters = {"battery", "samples queued"};
constexpr Words kWatchTexts = {"ambient", "active", "tile"};
constexpr Words kWatchKeys = {"mode", "samples", "bytes"};

}  // namespace

const Vocabulary& browser_words() {
  static constexpr Vocabulary kWords{kBrowserProcesses,  kBrowserThreads,  kBrowserSlices,
                                     kBrowserCategories, kBrowserCounters, kBrowserTexts,
                                     kBrowserKeys};
  return kWords;
}

const Vocabulary& phone_words() {
  static constexpr Vocabulary kWords{kPhoneProcesses, kPhoneThreads, kPhoneSlices, kPhoneCategories,
                                     kPhoneCounters,  kPhoneTexts,   kPhoneKeys};
  return kWords;
}

const Vocabulary& watch_words() {
  static constexpr Vocabulary kWords{kWatchProcesses, kWatchThreads, kWatchSlices, kWatchCategories,
                                     kWatchCounters,  kWatchTexts,   kWatchKeys};
  return kWords;
}

}  // namespace tracebraid::generate
