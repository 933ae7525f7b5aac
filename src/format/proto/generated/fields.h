// Made by tools/proto_schema.py from the tables in schema/; edit those.
// Field numbers of the messages, and values of the enums, that the reader names.
#pragma once

#include <cstdint>

namespace tracebraid::proto::field {

struct AddressSymbols {
  enum Field : uint32_t {
    kAddress = 1,
    kLines = 2,
  };
};

struct AndroidAflags {
  enum Field : uint32_t {
    kFlags = 1,
    kError = 2,
  };
};

struct AndroidAflags_Flag {
  enum Field : uint32_t {
    kFlagNamespace = 1,
    kName = 2,
    kPkg = 3,
    kContainer = 4,
    kValue = 5,
    kStagedValue = 6,
    kPermission = 7,
    kValuePickedFrom = 8,
    kStorageBackend = 9,
    kType = 10,
  };
};

struct AndroidEnergyConsumer {
  enum Field : uint32_t {
    kEnergyConsumerId = 1,
    kOrdinal = 2,
    kType = 3,
    kName = 4,
  };
};

struct AndroidEnergyConsumerDescriptor {
  enum Field : uint32_t {
    kEnergyConsumers = 1,
  };
};

struct AndroidEnergyEstimationBreakdown {
  enum Field : uint32_t {
    kEnergyConsumerDescriptor = 1,
    kEnergyConsumerId = 2,
    kEnergyUws = 3,
    kPerUidBreakdown = 4,
  };
};

struct AndroidEnergyEstimationBreakdown_EnergyUidBreakdown {
  enum Field : uint32_t {
    kUid = 1,
    kEnergyUws = 2,
  };
};

struct AndroidGameInterventionList {
  enum Field : uint32_t {
    kGamePackages = 1,
    kParseError = 2,
    kReadError = 3,
  };
};

struct AndroidGameInterventionList_GameModeInfo {
  enum Field : uint32_t {
    kMode = 1,
    kUseAngle = 2,
    kResolutionDownscale = 3,
    kFps = 4,
  };
};

struct AndroidGameInterventionList_GamePackageInfo {
  enum Field : uint32_t {
    kName = 1,
    kUid = 2,
    kCurrentMode = 3,
    kGameModeInfo = 4,
  };
};

struct AndroidLogPacket {
  enum Field : uint32_t {
    kEvents = 1,
    kStats = 2,
  };
};

struct AndroidLogPacket_LogEvent {
  enum Field : uint32_t {
    kLogId = 1,
    kPid = 2,
    kTid = 3,
    kUid = 4,
    kTimestamp = 5,
    kTag = 6,
    kPrio = 7,
    kMessage = 8,
    kArgs = 9,
  };
};

struct AndroidLogPacket_LogEvent_Arg {
  enum Field : uint32_t {
    kName = 1,
    kIntValue = 2,
    kFloatValue = 3,
    kStringValue = 4,
  };
};

struct AndroidLogPacket_Stats {
  enum Field : uint32_t {
    kNumTotal = 1,
    kNumFailed = 2,
    kNumSkipped = 3,
  };
};

struct AndroidSystemProperty {
  enum Field : uint32_t {
    kValues = 1,
  };
};

struct AndroidSystemProperty_PropertyValue {
  enum Field : uint32_t {
    kName = 1,
    kValue = 2,
  };
};

struct AndroidUserList {
  enum Field : uint32_t {
    kUsers = 1,
    kError = 2,
  };
};

struct AndroidUserList_UserInfo {
  enum Field : uint32_t {
    kType = 1,
    kUid = 2,
  };
};

struct AppWakelockBundle {
  enum Field : uint32_t {
    kInternId = 1,
    kEncodedTs = 2,
    kInfo = 3,
    kAcquired = 4,
  };
};

struct AppWakelockInfo {
  enum Field : uint32_t {
    kIid = 1,
    kTag = 2,
    kFlags = 3,
    kOwnerPid = 4,
    kOwnerUid = 5,
    kWorkUid = 6,
  };
};

struct BackgroundTracingMetadata {
  enum Field : uint32_t {
    kTriggeredRule = 1,
    kActiveRules = 2,
    kScenarioNameHash = 3,
  };
};

struct BackgroundTracingMetadata_TriggerRule {
  enum Field : uint32_t {
    kTriggerType = 1,
    kHistogramRule = 2,
    kNamedRule = 3,
    kNameHash = 4,
  };
};

struct BackgroundTracingMetadata_TriggerRule_HistogramRule {
  enum Field : uint32_t {
    kHistogramNameHash = 1,
    kHistogramMinTrigger = 2,
    kHistogramMaxTrigger = 3,
  };
};

struct BackgroundTracingMetadata_TriggerRule_NamedRule {
  enum Field : uint32_t {
    kEventType = 1,
    kContentTriggerNameHash = 2,
  };
};

struct BatteryCounters {
  enum Field : uint32_t {
    kChargeCounterUah = 1,
    kCapacityPercent = 2,
    kCurrentUa = 3,
    kCurrentAvgUa = 4,
    kName = 5,
    kEnergyCounterUwh = 6,
    kVoltageUv = 7,
  };
};

struct BluetoothTraceEvent {
  enum Field : uint32_t {
    kPacketType = 1,
    kCount = 2,
    kLength = 3,
    kDuration = 4,
    kOpCode = 5,
    kEventCode = 6,
    kSubeventCode = 7,
    kConnectionHandle = 8,
  };
};

struct Callstack {
  enum Field : uint32_t {
    kIid = 1,
    kFrameIds = 2,
  };
};

struct ChromeActiveProcesses {
  enum Field : uint32_t {
    kPid = 1,
  };
};

struct ChromeEventBundle {
  enum Field : uint32_t {
    kTraceEvents = 1,
    kMetadata = 2,
    kStringTable = 3,
    kLegacyFtraceOutput = 4,
    kLegacyJsonTrace = 5,
  };
};

struct ChromeHashedPerformanceMark {
  enum Field : uint32_t {
    kSiteHash = 1,
    kSite = 2,
    kMarkHash = 3,
    kMark = 4,
    kExecutionContextId = 5,
    kSequenceNumber = 6,
  };
};

struct ChromeHistogramSample {
  enum Field : uint32_t {
    kNameHash = 1,
    kName = 2,
    kSample = 3,
    kNameIid = 4,
  };
};

struct ChromeMetadata {
  enum Field : uint32_t {
    kName = 1,
    kStringValue = 2,
    kBoolValue = 3,
    kIntValue = 4,
    kJsonValue = 5,
  };
};

struct ChromeMetadataPacket {
  enum Field : uint32_t {
    kBackgroundTracingMetadata = 1,
    kChromeVersionCode = 2,
    kEnabledCategories = 3,
    kFieldTrialHashes = 4,
    kAppPackageName = 5,
    kAppVersion = 6,
    kChannel = 7,
    kOsName = 8,
  };
};

struct ChromeMetadataPacket_FinchHash {
  enum Field : uint32_t {
    kName = 1,
    kGroup = 2,
  };
};

struct ChromePerformanceMarkTranslationTable {
  enum Field : uint32_t {
    kSiteHashToName = 1,
    kMarkHashToName = 2,
  };
};

struct ChromeProcessDescriptor {
  enum Field : uint32_t {
    kProcessType = 1,
    kProcessPriority = 2,
    kLegacySortIndex = 3,
    kHostAppPackageName = 4,
    kCrashTraceId = 5,
  };
};

struct ChromeThreadDescriptor {
  enum Field : uint32_t {
    kThreadType = 1,
    kLegacySortIndex = 2,
    kIsSandboxedTid = 3,
  };
};

struct ChromeTrigger {
  enum Field : uint32_t {
    kTriggerName = 1,
    kTriggerNameHash = 2,
    kFlowId = 3,
  };
};

struct ChromeUserEvent {
  enum Field : uint32_t {
    kAction = 1,
    kActionHash = 2,
  };
};

struct ClockSnapshot {
  enum Field : uint32_t {
    kClocks = 1,
    kPrimaryTraceClock = 2,
  };
};

struct ClockSnapshot_Clock {
  enum Field : uint32_t {
    kClockId = 1,
    kTimestamp = 2,
    kIsIncremental = 3,
    kUnitMultiplierNs = 4,
  };
};

struct ConcurrentSessionEvent {
  enum Field : uint32_t {
    kState = 1,
    kSessionName = 2,
    kSessionId = 3,
    kConsumerUid = 4,
    kNumDataSources = 5,
  };
};

struct CounterDescriptor {
  enum Field : uint32_t {
    kType = 1,
    kCategories = 2,
    kUnit = 3,
    kUnitMultiplier = 4,
    kIsIncremental = 5,
    kUnitName = 6,
    kYAxisShareKey = 7,
  };
};

struct CpuFrequencyFtraceEvent {
  enum Field : uint32_t {
    kState = 1,
    kCpuId = 2,
  };
};

struct CpuFrequencyLimitsFtraceEvent {
  enum Field : uint32_t {
    kMinFreq = 1,
    kMaxFreq = 2,
    kCpuId = 3,
  };
};

struct CpuIdleFtraceEvent {
  enum Field : uint32_t {
    kState = 1,
    kCpuId = 2,
  };
};

struct CpuInfo {
  enum Field : uint32_t {
    kCpus = 1,
  };
};

struct CpuInfo_ArmCpuIdentifier {
  enum Field : uint32_t {
    kImplementer = 1,
    kArchitecture = 2,
    kVariant = 3,
    kPart = 4,
    kRevision = 5,
  };
};

struct CpuInfo_Cpu {
  enum Field : uint32_t {
    kProcessor = 1,
    kFrequencies = 2,
    kCapacity = 3,
    kArmIdentifier = 4,
    kFeatures = 5,
  };
};

struct CpuPerUidData {
  enum Field : uint32_t {
    kClusterCount = 1,
    kUid = 2,
    kTotalTimeMs = 3,
  };
};

struct DebugAnnotation {
  enum Field : uint32_t {
    kNameIid = 1,
    kBoolValue = 2,
    kUintValue = 3,
    kIntValue = 4,
    kDoubleValue = 5,
    kStringValue = 6,
    kPointerValue = 7,
    kNestedValue = 8,
    kLegacyJsonValue = 9,
    kName = 10,
    kDictEntries = 11,
    kArrayValues = 12,
    kProtoTypeNameIid = 13,
    kProtoValue = 14,
    kProtoTypeName = 16,
    kStringValueIid = 17,
  };
};

struct DebugAnnotation_NestedValue {
  enum Field : uint32_t {
    kNestedType = 1,
    kDictKeys = 2,
    kDictValues = 3,
    kArrayValues = 4,
    kIntValue = 5,
    kDoubleValue = 6,
    kBoolValue = 7,
    kStringValue = 8,
  };
};

struct DeobfuscationMapping {
  enum Field : uint32_t {
    kPackageName = 1,
    kVersionCode = 2,
    kObfuscatedClasses = 3,
  };
};

struct EntityStateResidency {
  enum Field : uint32_t {
    kPowerEntityState = 1,
    kResidency = 2,
  };
};

struct EntityStateResidency_PowerEntityState {
  enum Field : uint32_t {
    kEntityIndex = 1,
    kStateIndex = 2,
    kEntityName = 3,
    kStateName = 4,
  };
};

struct EntityStateResidency_StateResidency {
  enum Field : uint32_t {
    kEntityIndex = 1,
    kStateIndex = 2,
    kTotalTimeInStateMs = 3,
    kTotalStateEntryCount = 4,
    kLastEntryTimestampMs = 5,
  };
};

struct FollowerEvent {
  enum Field : uint32_t {
    kCounter = 1,
    kTracepoint = 2,
    kRawEvent = 3,
    kName = 4,
    kModifiers = 5,
  };
};

struct Frame {
  enum Field : uint32_t {
    kIid = 1,
    kFunctionNameId = 2,
    kMappingId = 3,
    kRelPc = 4,
    kSourcePathIid = 5,
    kLineNumber = 6,
    kKind = 7,
    kKindStr = 8,
  };
};

struct FrameTimelineEvent {
  enum Field : uint32_t {
    kExpectedDisplayFrameStart = 1,
    kActualDisplayFrameStart = 2,
    kExpectedSurfaceFrameStart = 3,
    kActualSurfaceFrameStart = 4,
    kFrameEnd = 5,
  };
};

struct FrameTimelineEvent_ActualDisplayFrameStart {
  enum Field : uint32_t {
    kCookie = 1,
    kToken = 2,
    kPid = 3,
    kPresentType = 4,
    kOnTimeFinish = 5,
    kGpuComposition = 6,
    kJankType = 7,
    kPredictionType = 8,
    kJankSeverityType = 9,
    kPresentDelayMillis = 10,
    kJankSeverityScore = 11,
    kJankTypeExperimental = 12,
    kPresentTypeExperimental = 13,
    kJankDebugMetadata = 14,
    kLatchedUnsignaledCount = 15,
    kAddressableUnsignaledLatchCount = 16,
  };
};

struct FrameTimelineEvent_ActualSurfaceFrameStart {
  enum Field : uint32_t {
    kCookie = 1,
    kToken = 2,
    kDisplayFrameToken = 3,
    kPid = 4,
    kLayerName = 5,
    kPresentType = 6,
    kOnTimeFinish = 7,
    kGpuComposition = 8,
    kJankType = 9,
    kPredictionType = 10,
    kIsBuffer = 11,
    kJankSeverityType = 12,
    kPresentDelayMillis = 13,
    kVsyncResyncedJitterMillis = 14,
    kJankSeverityScore = 15,
    kJankTypeExperimental = 16,
    kPresentTypeExperimental = 17,
    kJankDebugMetadata = 18,
    kLatchedFenceState = 19,
    kAnimationTimeMillis = 20,
  };
};

struct FrameTimelineEvent_ExpectedDisplayFrameStart {
  enum Field : uint32_t {
    kCookie = 1,
    kToken = 2,
    kPid = 3,
  };
};

struct FrameTimelineEvent_ExpectedSurfaceFrameStart {
  enum Field : uint32_t {
    kCookie = 1,
    kToken = 2,
    kDisplayFrameToken = 3,
    kPid = 4,
    kLayerName = 5,
  };
};

struct FrameTimelineEvent_FrameEnd {
  enum Field : uint32_t {
    kCookie = 1,
  };
};

struct FtraceCpuStats {
  enum Field : uint32_t {
    kCpu = 1,
    kEntries = 2,
    kOverrun = 3,
    kCommitOverrun = 4,
    kBytesRead = 5,
    kOldestEventTs = 6,
    kNowTs = 7,
    kDroppedEvents = 8,
    kReadEvents = 9,
  };
};

struct FtraceEvent {
  enum Field : uint32_t {
    kTimestamp = 1,
    kPid = 2,
    kPrint = 3,
    kSchedSwitch = 4,
    kCommonFlags = 5,
    kCpuFrequency = 11,
    kCpuFrequencyLimits = 12,
    kCpuIdle = 13,
    kClockEnable = 14,
    kClockDisable = 15,
    kClockSetRate = 16,
    kSchedWakeup = 17,
    kSchedBlockedReason = 18,
    kSchedCpuHotplug = 19,
    kSchedWaking = 20,
    kIpiEntry = 21,
    kIpiExit = 22,
    kIpiRaise = 23,
    kSoftirqEntry = 24,
    kSoftirqExit = 25,
    kSoftirqRaise = 26,
    kI2cRead = 27,
    kI2cWrite = 28,
    kI2cResult = 29,
    kI2cReply = 30,
    kSmbusRead = 31,
    kSmbusWrite = 32,
    kSmbusResult = 33,
    kSmbusReply = 34,
    kLowmemoryKill = 35,
    kIrqHandlerEntry = 36,
    kIrqHandlerExit = 37,
    kSyncPt = 38,
    kSyncTimeline = 39,
    kSyncWait = 40,
    kExt4DaWriteBegin = 41,
    kExt4DaWriteEnd = 42,
    kExt4SyncFileEnter = 43,
    kExt4SyncFileExit = 44,
    kBlockRqIssue = 45,
    kMmVmscanDirectReclaimBegin = 46,
    kMmVmscanDirectReclaimEnd = 47,
    kMmVmscanKswapdWake = 48,
    kMmVmscanKswapdSleep = 49,
    kBinderTransaction = 50,
    kBinderTransactionReceived = 51,
    kBinderSetPriority = 52,
    kBinderLock = 53,
    kBinderLocked = 54,
    kBinderUnlock = 55,
    kWorkqueueActivateWork = 56,
    kWorkqueueExecuteEnd = 57,
    kWorkqueueExecuteStart = 58,
    kWorkqueueQueueWork = 59,
    kRegulatorDisable = 60,
    kRegulatorDisableComplete = 61,
    kRegulatorEnable = 62,
    kRegulatorEnableComplete = 63,
    kRegulatorEnableDelay = 64,
    kRegulatorSetVoltage = 65,
    kRegulatorSetVoltageComplete = 66,
    kCgroupAttachTask = 67,
    kCgroupMkdir = 68,
    kCgroupRemount = 69,
    kCgroupRmdir = 70,
    kCgroupTransferTasks = 71,
    kCgroupDestroyRoot = 72,
    kCgroupRelease = 73,
    kCgroupRename = 74,
    kCgroupSetupRoot = 75,
    kMdpCmdKickoff = 76,
    kMdpCommit = 77,
    kMdpPerfSetOt = 78,
    kMdpSsppChange = 79,
    kTracingMarkWrite = 80,
    kMdpCmdPingpongDone = 81,
    kMdpCompareBw = 82,
    kMdpPerfSetPanicLuts = 83,
    kMdpSsppSet = 84,
    kMdpCmdReadptrDone = 85,
    kMdpMisrCrc = 86,
    kMdpPerfSetQosLuts = 87,
    kMdpTraceCounter = 88,
    kMdpCmdReleaseBw = 89,
    kMdpMixerUpdate = 90,
    kMdpPerfSetWmLevels = 91,
    kMdpVideoUnderrunDone = 92,
    kMdpCmdWaitPingpong = 93,
    kMdpPerfPrefillCalc = 94,
    kMdpPerfUpdateBus = 95,
    kRotatorBwAoAsContext = 96,
    kMmFilemapAddToPageCache = 97,
    kMmFilemapDeleteFromPageCache = 98,
    kMmCompactionBegin = 99,
    kMmCompactionDeferCompaction = 100,
    kMmCompactionDeferred = 101,
    kMmCompactionDeferReset = 102,
    kMmCompactionEnd = 103,
    kMmCompactionFinished = 104,
    kMmCompactionIsolateFreepages = 105,
    kMmCompactionIsolateMigratepages = 106,
    kMmCompactionKcompactdSleep = 107,
    kMmCompactionKcompactdWake = 108,
    kMmCompactionMigratepages = 109,
    kMmCompactionSuitable = 110,
    kMmCompactionTryToCompactPages = 111,
    kMmCompactionWakeupKcompactd = 112,
    kSuspendResume = 113,
    kSchedWakeupNew = 114,
    kBlockBioBackmerge = 115,
    kBlockBioBounce = 116,
    kBlockBioComplete = 117,
    kBlockBioFrontmerge = 118,
    kBlockBioQueue = 119,
    kBlockBioRemap = 120,
    kBlockDirtyBuffer = 121,
    kBlockGetrq = 122,
    kBlockPlug = 123,
    kBlockRqAbort = 124,
    kBlockRqComplete = 125,
    kBlockRqInsert = 126,
    kBlockRqRemap = 128,
    kBlockRqRequeue = 129,
    kBlockSleeprq = 130,
    kBlockSplit = 131,
    kBlockTouchBuffer = 132,
    kBlockUnplug = 133,
    kExt4AllocDaBlocks = 134,
    kExt4AllocateBlocks = 135,
    kExt4AllocateInode = 136,
    kExt4BeginOrderedTruncate = 137,
    kExt4CollapseRange = 138,
    kExt4DaReleaseSpace = 139,
    kExt4DaReserveSpace = 140,
    kExt4DaUpdateReserveSpace = 141,
    kExt4DaWritePages = 142,
    kExt4DaWritePagesExtent = 143,
    kExt4DirectIOEnter = 144,
    kExt4DirectIOExit = 145,
    kExt4DiscardBlocks = 146,
    kExt4DiscardPreallocations = 147,
    kExt4DropInode = 148,
    kExt4EsCacheExtent = 149,
    kExt4EsFindDelayedExtentRangeEnter = 150,
    kExt4EsFindDelayedExtentRangeExit = 151,
    kExt4EsInsertExtent = 152,
    kExt4EsLookupExtentEnter = 153,
    kExt4EsLookupExtentExit = 154,
    kExt4EsRemoveExtent = 155,
    kExt4EsShrink = 156,
    kExt4EsShrinkCount = 157,
    kExt4EsShrinkScanEnter = 158,
    kExt4EsShrinkScanExit = 159,
    kExt4EvictInode = 160,
    kExt4ExtConvertToInitializedEnter = 161,
    kExt4ExtConvertToInitializedFastpath = 162,
    kExt4ExtHandleUnwrittenExtents = 163,
    kExt4ExtInCache = 164,
    kExt4ExtLoadExtent = 165,
    kExt4ExtMapBlocksEnter = 166,
    kExt4ExtMapBlocksExit = 167,
    kExt4ExtPutInCache = 168,
    kExt4ExtRemoveSpace = 169,
    kExt4ExtRemoveSpaceDone = 170,
    kExt4ExtRmIdx = 171,
    kExt4ExtRmLeaf = 172,
    kExt4ExtShowExtent = 173,
    kExt4FallocateEnter = 174,
    kExt4FallocateExit = 175,
    kExt4FindDelallocRange = 176,
    kExt4Forget = 177,
    kExt4FreeBlocks = 178,
    kExt4FreeInode = 179,
    kExt4GetImpliedClusterAllocExit = 180,
    kExt4GetReservedClusterAlloc = 181,
    kExt4IndMapBlocksEnter = 182,
    kExt4IndMapBlocksExit = 183,
    kExt4InsertRange = 184,
    kExt4Invalidatepage = 185,
    kExt4JournalStart = 186,
    kExt4JournalStartReserved = 187,
    kExt4JournalledInvalidatepage = 188,
    kExt4JournalledWriteEnd = 189,
    kExt4LoadInode = 190,
    kExt4LoadInodeBitmap = 191,
    kExt4MarkInodeDirty = 192,
    kExt4MbBitmapLoad = 193,
    kExt4MbBuddyBitmapLoad = 194,
    kExt4MbDiscardPreallocations = 195,
    kExt4MbNewGroupPa = 196,
    kExt4MbNewInodePa = 197,
    kExt4MbReleaseGroupPa = 198,
    kExt4MbReleaseInodePa = 199,
    kExt4MballocAlloc = 200,
    kExt4MballocDiscard = 201,
    kExt4MballocFree = 202,
    kExt4MballocPrealloc = 203,
    kExt4OtherInodeUpdateTime = 204,
    kExt4PunchHole = 205,
    kExt4ReadBlockBitmapLoad = 206,
    kExt4Readpage = 207,
    kExt4Releasepage = 208,
    kExt4RemoveBlocks = 209,
    kExt4RequestBlocks = 210,
    kExt4RequestInode = 211,
    kExt4SyncFs = 212,
    kExt4TrimAllFree = 213,
    kExt4TrimExtent = 214,
    kExt4TruncateEnter = 215,
    kExt4TruncateExit = 216,
    kExt4UnlinkEnter = 217,
    kExt4UnlinkExit = 218,
    kExt4WriteBegin = 219,
    kExt4WriteEnd = 230,
    kExt4Writepage = 231,
    kExt4Writepages = 232,
    kExt4WritepagesResult = 233,
    kExt4ZeroRange = 234,
    kTaskNewtask = 235,
    kTaskRename = 236,
    kSchedProcessExec = 237,
    kSchedProcessExit = 238,
    kSchedProcessFork = 239,
    kSchedProcessFree = 240,
    kSchedProcessHang = 241,
    kSchedProcessWait = 242,
    kF2fsDoSubmitBio = 243,
    kF2fsEvictInode = 244,
    kF2fsFallocate = 245,
    kF2fsGetDataBlock = 246,
    kF2fsGetVictim = 247,
    kF2fsIget = 248,
    kF2fsIgetExit = 249,
    kF2fsNewInode = 250,
    kF2fsReadpage = 251,
    kF2fsReserveNewBlock = 252,
    kF2fsSetPageDirty = 253,
    kF2fsSubmitWritePage = 254,
    kF2fsSyncFileEnter = 255,
    kF2fsSyncFileExit = 256,
    kF2fsSyncFs = 257,
    kF2fsTruncate = 258,
    kF2fsTruncateBlocksEnter = 259,
    kF2fsTruncateBlocksExit = 260,
    kF2fsTruncateDataBlocksRange = 261,
    kF2fsTruncateInodeBlocksEnter = 262,
    kF2fsTruncateInodeBlocksExit = 263,
    kF2fsTruncateNode = 264,
    kF2fsTruncateNodesEnter = 265,
    kF2fsTruncateNodesExit = 266,
    kF2fsTruncatePartialNodes = 267,
    kF2fsUnlinkEnter = 268,
    kF2fsUnlinkExit = 269,
    kF2fsVmPageMkwrite = 270,
    kF2fsWriteBegin = 271,
    kF2fsWriteCheckpoint = 272,
    kF2fsWriteEnd = 273,
    kAllocPagesIommuEnd = 274,
    kAllocPagesIommuFail = 275,
    kAllocPagesIommuStart = 276,
    kAllocPagesSysEnd = 277,
    kAllocPagesSysFail = 278,
    kAllocPagesSysStart = 279,
    kDmaAllocContiguousRetry = 280,
    kIommuMapRange = 281,
    kIommuSecPtblMapRangeEnd = 282,
    kIommuSecPtblMapRangeStart = 283,
    kIonAllocBufferEnd = 284,
    kIonAllocBufferFail = 285,
    kIonAllocBufferFallback = 286,
    kIonAllocBufferStart = 287,
    kIonCpAllocRetry = 288,
    kIonCpSecureBufferEnd = 289,
    kIonCpSecureBufferStart = 290,
    kIonPrefetching = 291,
    kIonSecureCmaAddToPoolEnd = 292,
    kIonSecureCmaAddToPoolStart = 293,
    kIonSecureCmaAllocateEnd = 294,
    kIonSecureCmaAllocateStart = 295,
    kIonSecureCmaShrinkPoolEnd = 296,
    kIonSecureCmaShrinkPoolStart = 297,
    kKfree = 298,
    kKmalloc = 299,
    kKmallocNode = 300,
    kKmemCacheAlloc = 301,
    kKmemCacheAllocNode = 302,
    kKmemCacheFree = 303,
    kMigratePagesEnd = 304,
    kMigratePagesStart = 305,
    kMigrateRetry = 306,
    kMmPageAlloc = 307,
    kMmPageAllocExtfrag = 308,
    kMmPageAllocZoneLocked = 309,
    kMmPageFree = 310,
    kMmPageFreeBatched = 311,
    kMmPagePcpuDrain = 312,
    kRssStat = 313,
    kIonHeapShrink = 314,
    kIonHeapGrow = 315,
    kFenceInit = 316,
    kFenceDestroy = 317,
    kFenceEnableSignal = 318,
    kFenceSignaled = 319,
    kClkEnable = 320,
    kClkDisable = 321,
    kClkSetRate = 322,
    kBinderTransactionAllocBuf = 323,
    kSignalDeliver = 324,
    kSignalGenerate = 325,
    kOomScoreAdjUpdate = 326,
    kGeneric = 327,
    kMmEventRecord = 328,
    kSysEnter = 329,
    kSysExit = 330,
    kZero = 331,
    kGpuFrequency = 332,
    kSdeTracingMarkWrite = 333,
    kMarkVictim = 334,
    kIonStat = 335,
    kIonBufferCreate = 336,
    kIonBufferDestroy = 337,
    kScmCallStart = 338,
    kScmCallEnd = 339,
    kGpuMemTotal = 340,
    kThermalTemperature = 341,
    kCdevUpdate = 342,
    kCpuhpExit = 343,
    kCpuhpMultiEnter = 344,
    kCpuhpEnter = 345,
    kCpuhpLatency = 346,
    kFastrpcDmaStat = 347,
    kDpuTracingMarkWrite = 348,
    kG2dTracingMarkWrite = 349,
    kMaliTracingMarkWrite = 350,
    kDmaHeapStat = 351,
    kCpuhpPause = 352,
    kSchedPiSetprio = 353,
    kSdeSdeEvtlog = 354,
    kSdeSdePerfCalcCrtc = 355,
    kSdeSdePerfCrtcUpdate = 356,
    kSdeSdePerfSetQosLuts = 357,
    kSdeSdePerfUpdateBus = 358,
    kRssStatThrottled = 359,
    kNetifReceiveSkb = 360,
    kNetDevXmit = 361,
    kInetSockSetState = 362,
    kTcpRetransmitSkb = 363,
    kCrosEcSensorhubData = 364,
    kNapiGroReceiveEntry = 365,
    kNapiGroReceiveExit = 366,
    kKfreeSkb = 367,
    kKvmAccessFault = 368,
    kKvmAckIrq = 369,
    kKvmAgeHva = 370,
    kKvmAgePage = 371,
    kKvmArmClearDebug = 372,
    kKvmArmSetDreg32 = 373,
    kKvmArmSetRegset = 374,
    kKvmArmSetupDebug = 375,
    kKvmEntry = 376,
    kKvmExit = 377,
    kKvmFpu = 378,
    kKvmGetTimerMap = 379,
    kKvmGuestFault = 380,
    kKvmHandleSysReg = 381,
    kKvmHvcArm64 = 382,
    kKvmIrqLine = 383,
    kKvmMmio = 384,
    kKvmMmioEmulate = 385,
    kKvmSetGuestDebug = 386,
    kKvmSetIrq = 387,
    kKvmSetSpteHva = 388,
    kKvmSetWayFlush = 389,
    kKvmSysAccess = 390,
    kKvmTestAgeHva = 391,
    kKvmTimerEmulate = 392,
    kKvmTimerHrtimerExpire = 393,
    kKvmTimerRestoreState = 394,
    kKvmTimerSaveState = 395,
    kKvmTimerUpdateIrq = 396,
    kKvmToggleCache = 397,
    kKvmUnmapHvaRange = 398,
    kKvmUserspaceExit = 399,
    kKvmVcpuWakeup = 400,
    kKvmWfxArm64 = 401,
    kTrapReg = 402,
    kVgicUpdateIrqPending = 403,
    kWakeupSourceActivate = 404,
    kWakeupSourceDeactivate = 405,
    kUfshcdCommand = 406,
    kUfshcdClkGating = 407,
    kConsole = 408,
    kDrmVblankEvent = 409,
    kDrmVblankEventDelivered = 410,
    kDrmSchedJob = 411,
    kDrmRunJob = 412,
    kDrmSchedProcessJob = 413,
    kDmaFenceInit = 414,
    kDmaFenceEmit = 415,
    kDmaFenceSignaled = 416,
    kDmaFenceWaitStart = 417,
    kDmaFenceWaitEnd = 418,
    kF2fsIostat = 419,
    kF2fsIostatLatency = 420,
    kSchedCpuUtilCfs = 421,
    kV4l2Qbuf = 422,
    kV4l2Dqbuf = 423,
    kVb2V4l2BufQueue = 424,
    kVb2V4l2BufDone = 425,
    kVb2V4l2Qbuf = 426,
    kVb2V4l2Dqbuf = 427,
    kDsiCmdFifoStatus = 428,
    kDsiRx = 429,
    kDsiTx = 430,
    kAndroidFsDatareadEnd = 431,
    kAndroidFsDatareadStart = 432,
    kAndroidFsDatawriteEnd = 433,
    kAndroidFsDatawriteStart = 434,
    kAndroidFsFsyncEnd = 435,
    kAndroidFsFsyncStart = 436,
    kFuncgraphEntry = 437,
    kFuncgraphExit = 438,
    kVirtioVideoCmd = 439,
    kVirtioVideoCmdDone = 440,
    kVirtioVideoResourceQueue = 441,
    kVirtioVideoResourceQueueDone = 442,
    kMmShrinkSlabStart = 443,
    kMmShrinkSlabEnd = 444,
    kTrustySmc = 445,
    kTrustySmcDone = 446,
    kTrustyStdCall32 = 447,
    kTrustyStdCall32Done = 448,
    kTrustyShareMemory = 449,
    kTrustyShareMemoryDone = 450,
    kTrustyReclaimMemory = 451,
    kTrustyReclaimMemoryDone = 452,
    kTrustyIrq = 453,
    kTrustyIpcHandleEvent = 454,
    kTrustyIpcConnect = 455,
    kTrustyIpcConnectEnd = 456,
    kTrustyIpcWrite = 457,
    kTrustyIpcPoll = 458,
    kTrustyIpcRead = 460,
    kTrustyIpcReadEnd = 461,
    kTrustyIpcRx = 462,
    kTrustyEnqueueNop = 464,
    kCmaAllocStart = 465,
    kCmaAllocInfo = 466,
    kLwisTracingMarkWrite = 467,
    kVirtioGpuCmdQueue = 468,
    kVirtioGpuCmdResponse = 469,
    kMaliMaliKCPUCQSSET = 470,
    kMaliMaliKCPUCQSWAITSTART = 471,
    kMaliMaliKCPUCQSWAITEND = 472,
    kMaliMaliKCPUFENCESIGNAL = 473,
    kMaliMaliKCPUFENCEWAITSTART = 474,
    kMaliMaliKCPUFENCEWAITEND = 475,
    kHypEnter = 476,
    kHypExit = 477,
    kHostHcall = 478,
    kHostSmc = 479,
    kHostMemAbort = 480,
    kSuspendResumeMinimal = 481,
    kMaliMaliCSFINTERRUPTSTART = 482,
    kMaliMaliCSFINTERRUPTEND = 483,
    kSamsungTracingMarkWrite = 484,
    kBinderCommand = 485,
    kBinderReturn = 486,
    kSchedSwitchWithCtrs = 487,
    kGpuWorkPeriod = 488,
    kRpmStatus = 489,
    kPanelWriteGeneric = 490,
    kSchedMigrateTask = 491,
    kDpuDsiCmdFifoStatus = 492,
    kDpuDsiRx = 493,
    kDpuDsiTx = 494,
    kF2fsBackgroundGc = 495,
    kF2fsGcBegin = 496,
    kF2fsGcEnd = 497,
    kFastrpcDmaFree = 498,
    kFastrpcDmaAlloc = 499,
    kFastrpcDmaUnmap = 500,
    kFastrpcDmaMap = 501,
    kGoogleIccEvent = 502,
    kGoogleIrmEvent = 503,
    kDevicePmCallbackStart = 504,
    kDevicePmCallbackEnd = 505,
    kThermalExynosAcpmBulk = 506,
    kThermalExynosAcpmHighOverhead = 507,
    kDcvshFreq = 508,
    kKgslGpuFrequency = 509,
    kMaliMaliPMMCUHCTLCORESDOWNSCALENOTIFYPEND = 510,
    kMaliMaliPMMCUHCTLCORESNOTIFYPEND = 511,
    kMaliMaliPMMCUHCTLCOREINACTIVEPEND = 512,
    kMaliMaliPMMCUHCTLMCUONRECHECK = 513,
    kMaliMaliPMMCUHCTLSHADERSCOREOFFPEND = 514,
    kMaliMaliPMMCUHCTLSHADERSPENDOFF = 515,
    kMaliMaliPMMCUHCTLSHADERSPENDON = 516,
    kMaliMaliPMMCUHCTLSHADERSREADYOFF = 517,
    kMaliMaliPMMCUINSLEEP = 518,
    kMaliMaliPMMCUOFF = 519,
    kMaliMaliPMMCUON = 520,
    kMaliMaliPMMCUONCOREATTRUPDATEPEND = 521,
    kMaliMaliPMMCUONGLBREINITPEND = 522,
    kMaliMaliPMMCUONHALT = 523,
    kMaliMaliPMMCUONHWCNTDISABLE = 524,
    kMaliMaliPMMCUONHWCNTENABLE = 525,
    kMaliMaliPMMCUONPENDHALT = 526,
    kMaliMaliPMMCUONPENDSLEEP = 527,
    kMaliMaliPMMCUONSLEEPINITIATE = 528,
    kMaliMaliPMMCUPENDOFF = 529,
    kMaliMaliPMMCUPENDONRELOAD = 530,
    kMaliMaliPMMCUPOWERDOWN = 531,
    kMaliMaliPMMCURESETWAIT = 532,
    kBclIrqTrigger = 533,
    kKgslAdrenoCmdbatchQueued = 534,
    kKgslAdrenoCmdbatchSubmitted = 535,
    kKgslAdrenoCmdbatchSync = 536,
    kKgslAdrenoCmdbatchRetired = 537,
    kPixelMmKswapdWake = 538,
    kPixelMmKswapdDone = 539,
    kSchedWakeupTaskAttr = 540,
    kDevfreqFrequency = 541,
    kKprobeEvent = 542,
    kParamSetValueCpm = 543,
    kDoSysOpen = 544,
    kOpenExec = 545,
    kBlockIoStart = 546,
    kBlockIoDone = 547,
    kMaliGpuPowerState = 548,
    kDpuDispDpuUnderrun = 549,
    kDpuDispVblankIrqEnable = 550,
    kHrtimerStart = 551,
    kHrtimerCancel = 552,
    kHrtimerExpireEntry = 553,
    kHrtimerExpireExit = 554,
    kTimerStart = 555,
    kTimerCancel = 556,
    kTimerExpireEntry = 557,
    kTimerExpireExit = 558,
    kLocalTimerEntry = 559,
    kLocalTimerExit = 560,
    kDwc3AllocRequest = 561,
    kDwc3CompleteTrb = 562,
    kDwc3CtrlReq = 563,
    kDwc3EpDequeue = 564,
    kDwc3EpQueue = 565,
    kDwc3Event = 566,
    kDwc3FreeRequest = 567,
    kDwc3GadgetEpCmd = 568,
    kDwc3GadgetEpDisable = 569,
    kDwc3GadgetEpEnable = 570,
    kDwc3GadgetGenericCmd = 571,
    kDwc3GadgetGiveback = 572,
    kDwc3PrepareTrb = 573,
    kDwc3Readl = 574,
    kDwc3Writel = 575,
    kCmaAllocFinish = 576,
    kMmAllocContigMigrateRangeInfo = 577,
    kHostFfaCall = 578,
    kDmabufRssStat = 579,
    kIommuIdmap = 580,
    kPsciMemProtect = 581,
    kHypervisorHostHcall = 582,
    kHypervisorHostSmc = 583,
    kHypervisorHypExit = 584,
    kHypervisorIommuIdmap = 585,
    kHypervisorPsciMemProtect = 586,
    kHypervisorHostMemAbort = 587,
    kHypervisorHypEnter = 588,
    kHypervisorIommuIdmapComplete = 589,
    kHypervisorVcpuIllegalTrap = 590,
    kDrmSchedJobAddDep = 591,
    kDrmSchedJobDone = 592,
    kDrmSchedJobQueue = 593,
    kDrmSchedJobRun = 594,
    kDrmSchedJobUnschedulable = 595,
    kFwtpPerfettoCounter = 596,
    kScsiDispatchCmdError = 597,
    kScsiDispatchCmdTimeout = 598,
    kScsiEhWakeup = 599,
    kFwtpPerfettoSlice = 600,
    kGpuPowerState = 601,
    kGramCollision = 602,
    kF2fsLockElapsedTime = 603,
    kSchedGroupTracker = 604,
    kDpuDispFrameDoneTimeout = 605,
    kDpuDispFrameStartTimeout = 606,
    kMmVmscanMemcgReclaimBegin = 607,
    kMmVmscanMemcgReclaimEnd = 608,
    kDpuDispFrameDoneMissing = 609,
    kDpuDispFrameStartMissing = 610,
    kPanelSettingsFull = 611,
    kPanelSettingsLite = 612,
    kDpuDispDpuLineUnderrun = 613,
    kPsciDomainIdleExit = 614,
    kPsciDomainIdleEnter = 615,
    kLongIrq = 616,
    kLongSoftirq = 617,
  };
};

struct FtraceEventBundle {
  enum Field : uint32_t {
    kCpu = 1,
    kEvent = 2,
    kLostEvents = 3,
    kCompactSched = 4,
    kFtraceClock = 5,
    kFtraceTimestamp = 6,
    kBootTimestamp = 7,
    kError = 8,
    kLastReadEventTimestamp = 9,
    kPreviousBundleEndTimestamp = 10,
    kGenericEventDescriptors = 11,
    kBrokenAbiTracePage = 512,
  };
};

struct FtraceEventBundle_CompactSched {
  enum Field : uint32_t {
    kSwitchTimestamp = 1,
    kSwitchPrevState = 2,
    kSwitchNextPid = 3,
    kSwitchNextPrio = 4,
    kInternTable = 5,
    kSwitchNextCommIndex = 6,
    kWakingTimestamp = 7,
    kWakingPid = 8,
    kWakingTargetCpu = 9,
    kWakingPrio = 10,
    kWakingCommIndex = 11,
    kWakingCommonFlags = 12,
  };
};

struct FtraceEventBundle_GenericEventDescriptor {
  enum Field : uint32_t {
    kFieldId = 1,
    kEventDescriptor = 2,
    kGroupName = 3,
  };
};

struct FtraceKprobeStats {
  enum Field : uint32_t {
    kHits = 1,
    kMisses = 2,
  };
};

struct FtraceStats {
  enum Field : uint32_t {
    kPhase = 1,
    kCpuStats = 2,
    kKernelSymbolsParsed = 3,
    kKernelSymbolsMemKb = 4,
    kAtraceErrors = 5,
    kUnknownFtraceEvents = 6,
    kFailedFtraceEvents = 7,
    kPreserveFtraceBuffer = 8,
    kFtraceParseErrors = 9,
    kKprobeStats = 10,
    kCpuBufferSizePages = 11,
    kCachedCpuBufferSizePages = 12,
    kExclusiveFeatureError = 13,
  };
};

struct GenericFtraceEvent {
  enum Field : uint32_t {
    kEventName = 1,
    kField = 2,
  };
};

struct GenericFtraceEvent_Field {
  enum Field : uint32_t {
    kName = 1,
    kStrValue = 3,
    kIntValue = 4,
    kUintValue = 5,
  };
};

struct GenericGpuFrequencyEvent {
  enum Field : uint32_t {
    kGpuId = 1,
    kFrequencyKhz = 2,
  };
};

struct GenericKernelCpuFrequencyEvent {
  enum Field : uint32_t {
    kCpu = 1,
    kFreqHz = 2,
  };
};

struct GenericKernelProcessTree {
  enum Field : uint32_t {
    kProcesses = 1,
    kThreads = 2,
  };
};

struct GenericKernelProcessTree_Process {
  enum Field : uint32_t {
    kPid = 1,
    kPpid = 2,
    kCmdline = 3,
  };
};

struct GenericKernelProcessTree_Thread {
  enum Field : uint32_t {
    kTid = 1,
    kPid = 2,
    kComm = 3,
    kIsMainThread = 4,
    kIsIdle = 5,
  };
};

struct GenericKernelTaskRenameEvent {
  enum Field : uint32_t {
    kTid = 1,
    kComm = 2,
  };
};

struct GenericKernelTaskStateEvent {
  enum Field : uint32_t {
    kCpu = 1,
    kComm = 2,
    kTid = 3,
    kState = 4,
    kPrio = 5,
  };
};

struct GpuCounterDescriptor {
  enum Field : uint32_t {
    kSpecs = 1,
    kBlocks = 2,
    kMinSamplingPeriodNs = 3,
    kMaxSamplingPeriodNs = 4,
    kSupportsInstrumentedSampling = 5,
    kCounterGroups = 6,
    kSupportsCounterNames = 7,
    kSupportsCounterNameGlobs = 8,
  };
};

struct GpuCounterDescriptor_GpuCounterBlock {
  enum Field : uint32_t {
    kBlockId = 1,
    kBlockCapacity = 2,
    kName = 3,
    kDescription = 4,
    kCounterIds = 5,
  };
};

struct GpuCounterDescriptor_GpuCounterGroupSpec {
  enum Field : uint32_t {
    kGroupId = 1,
    kName = 2,
    kDescription = 3,
    kCounterIds = 4,
  };
};

struct GpuCounterDescriptor_GpuCounterSpec {
  enum Field : uint32_t {
    kCounterId = 1,
    kName = 2,
    kDescription = 3,
    kIntPeakValue = 5,
    kDoublePeakValue = 6,
    kNumeratorUnits = 7,
    kDenominatorUnits = 8,
    kSelectByDefault = 9,
    kGroups = 10,
    kValueDirection = 11,
  };
};

struct GpuCounterEvent {
  enum Field : uint32_t {
    kCounterDescriptor = 1,
    kCounters = 2,
    kGpuId = 3,
    kCounterDescriptorIid = 4,
  };
};

struct GpuCounterEvent_GpuCounter {
  enum Field : uint32_t {
    kCounterId = 1,
    kIntValue = 2,
    kDoubleValue = 3,
  };
};

struct GpuInfo {
  enum Field : uint32_t {
    kGpus = 1,
  };
};

struct GpuInfo_Gpu {
  enum Field : uint32_t {
    kName = 1,
    kVendor = 2,
    kModel = 3,
    kArchitecture = 4,
    kUuid = 5,
    kExtraInfo = 6,
    kPciBdf = 7,
  };
};

struct GpuInfo_Gpu_KeyValue {
  enum Field : uint32_t {
    kKey = 1,
    kValue = 2,
  };
};

struct GpuLog {
  enum Field : uint32_t {
    kSeverity = 1,
    kTag = 2,
    kLogMessage = 3,
  };
};

struct GpuMemTotalEvent {
  enum Field : uint32_t {
    kGpuId = 1,
    kPid = 2,
    kSize = 3,
  };
};

struct GpuRenderStageEvent {
  enum Field : uint32_t {
    kEventId = 1,
    kDuration = 2,
    kHwQueueId = 3,
    kStageId = 4,
    kContext = 5,
    kExtraData = 6,
    kSpecifications = 7,
    kRenderTargetHandle = 8,
    kRenderPassHandle = 9,
    kSubmissionId = 10,
    kGpuId = 11,
    kCommandBufferHandle = 12,
    kHwQueueIid = 13,
    kStageIid = 14,
    kRenderSubpassIndexMask = 15,
    kRenderPassInstanceId = 16,
    kName = 17,
    kEventWaitIds = 18,
    kKernelIid = 19,
    kNameIid = 20,
    kLaunch = 21,
  };
};

struct GpuRenderStageEvent_ExtraData {
  enum Field : uint32_t {
    kName = 1,
    kValue = 2,
  };
};

struct GpuRenderStageEvent_Specifications {
  enum Field : uint32_t {
    kContextSpec = 1,
    kHwQueue = 2,
    kStage = 3,
  };
};

struct GpuRenderStageEvent_Specifications_ContextSpec {
  enum Field : uint32_t {
    kContext = 1,
    kPid = 2,
  };
};

struct GpuRenderStageEvent_Specifications_Description {
  enum Field : uint32_t {
    kName = 1,
    kDescription = 2,
  };
};

struct GraphicsFrameEvent {
  enum Field : uint32_t {
    kBufferEvent = 1,
  };
};

struct GraphicsFrameEvent_BufferEvent {
  enum Field : uint32_t {
    kFrameNumber = 1,
    kType = 2,
    kLayerName = 3,
    kDurationNs = 4,
    kBufferId = 5,
  };
};

struct HeapGraph {
  enum Field : uint32_t {
    kPid = 1,
    kObjects = 2,
    kFieldNames = 4,
    kContinued = 5,
    kIndex = 6,
    kRoots = 7,
    kLocationNames = 8,
    kTypes = 9,
    kHeapBytesAllocated = 10,
  };
};

struct HeapGraphObject {
  enum Field : uint32_t {
    kId = 1,
    kTypeId = 2,
    kSelfSize = 3,
    kReferenceFieldId = 4,
    kReferenceObjectId = 5,
    kReferenceFieldIdBase = 6,
    kIdDelta = 7,
    kNativeAllocationRegistrySizeField = 8,
    kHeapTypeDelta = 9,
    kRuntimeInternalObjectId = 10,
    kBitmapIdField = 11,
    kBitmapSourceIdField = 12,
    kBitmapWidthField = 13,
    kBitmapHeightField = 14,
    kApplicationInfoLongVersionCodeField = 15,
  };
};

struct HeapGraphRoot {
  enum Field : uint32_t {
    kObjectIds = 1,
    kRootType = 2,
  };
};

struct HeapGraphType {
  enum Field : uint32_t {
    kId = 1,
    kLocationId = 2,
    kClassName = 3,
    kObjectSize = 4,
    kSuperclassId = 5,
    kReferenceFieldId = 6,
    kKind = 7,
    kClassloaderId = 8,
  };
};

struct InitialDisplayState {
  enum Field : uint32_t {
    kDisplayState = 1,
    kBrightness = 2,
  };
};

struct InlineCallstack {
  enum Field : uint32_t {
    kFrames = 1,
  };
};

struct InlineCallstack_Frame {
  enum Field : uint32_t {
    kFunctionName = 1,
    kSourceFile = 2,
    kLineNumber = 3,
  };
};

struct InternedData {
  enum Field : uint32_t {
    kEventCategories = 1,
    kEventNames = 2,
    kDebugAnnotationNames = 3,
    kSourceLocations = 4,
    kFunctionNames = 5,
    kFrames = 6,
    kCallstacks = 7,
    kBuildIds = 16,
    kMappingPaths = 17,
    kSourcePaths = 18,
    kMappings = 19,
    kLogMessageBody = 20,
    kVulkanMemoryKeys = 22,
    kGraphicsContexts = 23,
    kGpuSpecifications = 24,
    kHistogramNames = 25,
    kKernelSymbols = 26,
    kDebugAnnotationValueTypeNames = 27,
    kUnsymbolizedSourceLocations = 28,
    kDebugAnnotationStringValues = 29,
    kPacketContext = 30,
    kV8JsFunctionName = 31,
    kV8JsFunction = 32,
    kV8JsScript = 33,
    kV8WasmScript = 34,
    kV8Isolate = 35,
    kProtologStringArgs = 36,
    kProtologStacktrace = 37,
    kViewcapturePackageName = 38,
    kViewcaptureWindowName = 39,
    kViewcaptureViewId = 40,
    kViewcaptureClassName = 41,
    kAppWakelockInfo = 42,
    kCorrelationIdStr = 43,
    kAndroidJobName = 44,
    kViewcaptureContentDescription = 45,
    kViewcaptureText = 46,
    kGpuCounterDescriptors = 47,
    kStackSampleTaskContexts = 48,
    kStackSampleExecutionContexts = 49,
    kStackSampleCounterDescriptors = 50,
    kStackSampleAsyncContextDescriptors = 51,
    kComputeKernels = 1000,
    kComputeArgNames = 1001,
  };
};

struct InternedGpuCounterDescriptor {
  enum Field : uint32_t {
    kIid = 1,
    kCounterDescriptor = 2,
    kGpuId = 3,
  };
};

struct InternedGpuRenderStageSpecification {
  enum Field : uint32_t {
    kIid = 1,
    kName = 2,
    kDescription = 3,
    kCategory = 4,
  };
};

struct InternedGraphicsContext {
  enum Field : uint32_t {
    kIid = 1,
    kPid = 2,
    kApi = 3,
  };
};

struct InternedString {
  enum Field : uint32_t {
    kIid = 1,
    kStr = 2,
  };
};

struct InternedV8Isolate {
  enum Field : uint32_t {
    kIid = 1,
    kPid = 2,
    kIsolateId = 3,
    kCodeRange = 4,
    kEmbeddedBlobCodeStartAddress = 5,
    kEmbeddedBlobCodeSize = 6,
  };
};

struct InternedV8Isolate_CodeRange {
  enum Field : uint32_t {
    kBaseAddress = 1,
    kSize = 2,
    kEmbeddedBlobCodeCopyStartAddress = 3,
    kIsProcessWide = 4,
  };
};

struct InternedV8JsFunction {
  enum Field : uint32_t {
    kIid = 1,
    kV8JsFunctionNameIid = 2,
    kV8JsScriptIid = 3,
    kIsToplevel = 4,
    kKind = 5,
    kByteOffset = 6,
    kLine = 7,
    kColumn = 8,
  };
};

struct InternedV8JsScript {
  enum Field : uint32_t {
    kIid = 1,
    kScriptId = 2,
    kType = 3,
    kName = 4,
    kSource = 5,
  };
};

struct InternedV8String {
  enum Field : uint32_t {
    kIid = 1,
    kLatin1 = 2,
    kUtf16Le = 3,
    kUtf16Be = 4,
  };
};

struct InternedV8WasmScript {
  enum Field : uint32_t {
    kIid = 1,
    kScriptId = 2,
    kUrl = 3,
    kWireBytes = 4,
  };
};

struct InterruptInfo {
  enum Field : uint32_t {
    kIrqMapping = 1,
  };
};

struct InterruptInfo_InterruptMapping {
  enum Field : uint32_t {
    kIrqId = 1,
    kName = 2,
  };
};

struct KernelWakelockData {
  enum Field : uint32_t {
    kWakelock = 1,
    kWakelockId = 2,
    kTimeHeldMillis = 3,
    kErrorFlags = 4,
  };
};

struct KernelWakelockData_Wakelock {
  enum Field : uint32_t {
    kWakelockId = 1,
    kWakelockName = 2,
    kWakelockType = 3,
  };
};

struct Line {
  enum Field : uint32_t {
    kFunctionName = 1,
    kSourceFileName = 2,
    kLineNumber = 3,
  };
};

struct LogMessage {
  enum Field : uint32_t {
    kSourceLocationIid = 1,
    kBodyIid = 2,
    kPrio = 3,
  };
};

struct Mapping {
  enum Field : uint32_t {
    kIid = 1,
    kBuildId = 2,
    kStartOffset = 3,
    kStart = 4,
    kEnd = 5,
    kLoadBias = 6,
    kPathStringIds = 7,
    kExactOffset = 8,
  };
};

struct MemoryTrackerSnapshot {
  enum Field : uint32_t {
    kGlobalDumpId = 1,
    kLevelOfDetail = 2,
    kProcessMemoryDumps = 3,
  };
};

struct MemoryTrackerSnapshot_ProcessSnapshot {
  enum Field : uint32_t {
    kPid = 1,
    kAllocatorDumps = 2,
    kMemoryEdges = 3,
  };
};

struct MemoryTrackerSnapshot_ProcessSnapshot_MemoryEdge {
  enum Field : uint32_t {
    kSourceId = 1,
    kTargetId = 2,
    kImportance = 3,
    kOverridable = 4,
  };
};

struct MemoryTrackerSnapshot_ProcessSnapshot_MemoryNode {
  enum Field : uint32_t {
    kId = 1,
    kAbsoluteName = 2,
    kWeak = 3,
    kSizeBytes = 4,
    kEntries = 5,
  };
};

struct MemoryTrackerSnapshot_ProcessSnapshot_MemoryNode_MemoryNodeEntry {
  enum Field : uint32_t {
    kName = 1,
    kUnits = 2,
    kValueUint64 = 3,
    kValueString = 4,
  };
};

struct ModuleSymbols {
  enum Field : uint32_t {
    kPath = 1,
    kBuildId = 2,
    kAddressSymbols = 3,
  };
};

struct NetworkPacketBundle {
  enum Field : uint32_t {
    kIid = 1,
    kCtx = 2,
    kPacketTimestamps = 3,
    kPacketLengths = 4,
    kTotalPackets = 5,
    kTotalDuration = 6,
    kTotalLength = 7,
  };
};

struct NetworkPacketContext {
  enum Field : uint32_t {
    kIid = 1,
    kCtx = 2,
  };
};

struct NetworkPacketEvent {
  enum Field : uint32_t {
    kDirection = 1,
    kNetworkInterface = 2,
    kLength = 3,
    kUid = 4,
    kTag = 5,
    kIpProto = 6,
    kTcpFlags = 7,
    kLocalPort = 8,
    kRemotePort = 9,
    kIcmpType = 10,
    kIcmpCode = 11,
  };
};

struct ObfuscatedClass {
  enum Field : uint32_t {
    kObfuscatedName = 1,
    kDeobfuscatedName = 2,
    kObfuscatedMembers = 3,
    kObfuscatedMethods = 4,
  };
};

struct ObfuscatedMember {
  enum Field : uint32_t {
    kObfuscatedName = 1,
    kDeobfuscatedName = 2,
    kObfuscatedLineStart = 3,
    kObfuscatedLineEnd = 4,
    kSourceLineStart = 5,
    kSourceLineEnd = 6,
  };
};

struct PackagesList {
  enum Field : uint32_t {
    kPackages = 1,
    kParseError = 2,
    kReadError = 3,
  };
};

struct PackagesList_PackageInfo {
  enum Field : uint32_t {
    kName = 1,
    kUid = 2,
    kDebuggable = 3,
    kProfileableFromShell = 4,
    kVersionCode = 5,
  };
};

struct PackedSmaps {
  enum Field : uint32_t {
    kStringTable = 1,
    kNameId = 2,
    kAggregateCount = 3,
    kSizeKb = 4,
    kRssKb = 5,
    kAnonymousKb = 6,
    kSwapKb = 7,
    kSharedCleanKb = 8,
    kSharedDirtyKb = 9,
    kPrivateCleanKb = 10,
    kPrivateDirtyKb = 11,
    kLockedKb = 12,
    kPssKb = 13,
    kPssDirtyKb = 14,
    kSwapPssKb = 15,
  };
};

struct PerfEvents_RawEvent {
  enum Field : uint32_t {
    kType = 1,
    kConfig = 2,
    kConfig1 = 3,
    kConfig2 = 4,
    kPmuName = 5,
  };
};

struct PerfEvents_Timebase {
  enum Field : uint32_t {
    kPeriod = 1,
    kFrequency = 2,
    kTracepoint = 3,
    kCounter = 4,
    kRawEvent = 5,
    kPollPeriodMs = 6,
    kName = 10,
    kTimestampClock = 11,
    kModifiers = 12,
  };
};

struct PerfEvents_Tracepoint {
  enum Field : uint32_t {
    kName = 1,
    kFilter = 2,
  };
};

struct PerfSample {
  enum Field : uint32_t {
    kCpu = 1,
    kPid = 2,
    kTid = 3,
    kCallstackIid = 4,
    kCpuMode = 5,
    kTimebaseCount = 6,
    kFollowerCounts = 7,
    kUnwindError = 16,
    kKernelRecordsLost = 17,
    kSampleSkippedReason = 18,
    kProducerEvent = 19,
  };
};

struct PerfSampleDefaults {
  enum Field : uint32_t {
    kTimebase = 1,
    kProcessShardCount = 2,
    kChosenProcessShard = 3,
    kFollowers = 4,
  };
};

struct PerfSample_ProducerEvent {
  enum Field : uint32_t {
    kSourceStopReason = 1,
  };
};

struct PowerRails {
  enum Field : uint32_t {
    kRailDescriptor = 1,
    kEnergyData = 2,
    kSessionUuid = 3,
  };
};

struct PowerRails_EnergyData {
  enum Field : uint32_t {
    kIndex = 1,
    kTimestampMs = 2,
    kEnergy = 3,
  };
};

struct PowerRails_RailDescriptor {
  enum Field : uint32_t {
    kIndex = 1,
    kRailName = 2,
    kSubsysName = 3,
    kSamplingRate = 4,
  };
};

struct PrintFtraceEvent {
  enum Field : uint32_t {
    kIp = 1,
    kBuf = 2,
  };
};

struct ProcessDescriptor {
  enum Field : uint32_t {
    kPid = 1,
    kCmdline = 2,
    kLegacySortIndex = 3,
    kChromeProcessType = 4,
    kProcessPriority = 5,
    kProcessName = 6,
    kStartTimestampNs = 7,
    kProcessLabels = 8,
  };
};

struct ProcessStats {
  enum Field : uint32_t {
    kProcesses = 1,
    kCollectionEndTimestamp = 2,
  };
};

struct ProcessStats_FDInfo {
  enum Field : uint32_t {
    kFd = 1,
    kPath = 2,
  };
};

struct ProcessStats_Process {
  enum Field : uint32_t {
    kPid = 1,
    kVmSizeKb = 2,
    kVmRssKb = 3,
    kRssAnonKb = 4,
    kRssFileKb = 5,
    kRssShmemKb = 6,
    kVmSwapKb = 7,
    kVmLockedKb = 8,
    kVmHwmKb = 9,
    kOomScoreAdj = 10,
    kThreads = 11,
    kIsPeakRssResettable = 12,
    kChromePrivateFootprintKb = 13,
    kChromePeakResidentSetKb = 14,
    kFds = 15,
    kSmrRssKb = 16,
    kSmrPssKb = 17,
    kSmrPssAnonKb = 18,
    kSmrPssFileKb = 19,
    kSmrPssShmemKb = 20,
    kRuntimeUserMode = 21,
    kRuntimeKernelMode = 22,
    kSmrSwapPssKb = 23,
    kDmabufRssKb = 24,
  };
};

struct ProcessStats_Thread {
  enum Field : uint32_t {
    kTid = 1,
  };
};

struct ProcessTree {
  enum Field : uint32_t {
    kProcesses = 1,
    kThreads = 2,
    kCollectionEndTimestamp = 3,
  };
};

struct ProcessTree_Process {
  enum Field : uint32_t {
    kPid = 1,
    kPpid = 2,
    kCmdline = 3,
    kUid = 5,
    kNspid = 6,
    kProcessStartFromBoot = 7,
    kIsKthread = 8,
    kCmdlineIsComm = 9,
  };
};

struct ProcessTree_Thread {
  enum Field : uint32_t {
    kTid = 1,
    kName = 2,
    kTgid = 3,
    kNstid = 4,
  };
};

struct ProfilePacket {
  enum Field : uint32_t {
    kStrings = 1,
    kFrames = 2,
    kCallstacks = 3,
    kMappings = 4,
    kProcessDumps = 5,
    kContinued = 6,
    kIndex = 7,
  };
};

struct ProfilePacket_HeapSample {
  enum Field : uint32_t {
    kCallstackId = 1,
    kSelfAllocated = 2,
    kSelfFreed = 3,
    kTimestamp = 4,
    kAllocCount = 5,
    kFreeCount = 6,
    kSelfMax = 8,
    kSelfMaxCount = 9,
  };
};

struct ProfilePacket_ProcessHeapSamples {
  enum Field : uint32_t {
    kPid = 1,
    kSamples = 2,
    kFromStartup = 3,
    kRejectedConcurrent = 4,
    kStats = 5,
    kDisconnected = 6,
    kBufferOverran = 7,
    kBufferCorrupted = 8,
    kTimestamp = 9,
    kHitGuardrail = 10,
    kHeapName = 11,
    kSamplingIntervalBytes = 12,
    kOrigSamplingIntervalBytes = 13,
    kClientError = 14,
    kStartTimestamp = 15,
  };
};

struct ProfilePacket_ProcessStats {
  enum Field : uint32_t {
    kUnwindingErrors = 1,
    kHeapSamples = 2,
    kMapReparses = 3,
    kUnwindingTimeUs = 4,
    kTotalUnwindingTimeUs = 5,
    kClientSpinlockBlockedUs = 6,
  };
};

struct RemoteClockSync {
  enum Field : uint32_t {
    kSyncedClocks = 1,
  };
};

struct RemoteClockSync_SyncedClocks {
  enum Field : uint32_t {
    kClientClocks = 2,
    kHostClocks = 3,
  };
};

struct SchedBlockedReasonFtraceEvent {
  enum Field : uint32_t {
    kPid = 1,
    kCaller = 2,
    kIoWait = 3,
  };
};

struct SchedProcessFreeFtraceEvent {
  enum Field : uint32_t {
    kComm = 1,
    kPid = 2,
    kPrio = 3,
  };
};

struct SchedSwitchFtraceEvent {
  enum Field : uint32_t {
    kPrevComm = 1,
    kPrevPid = 2,
    kPrevPrio = 3,
    kPrevState = 4,
    kNextComm = 5,
    kNextPid = 6,
    kNextPrio = 7,
  };
};

struct SchedWakingFtraceEvent {
  enum Field : uint32_t {
    kComm = 1,
    kPid = 2,
    kPrio = 3,
    kSuccess = 4,
    kTargetCpu = 5,
  };
};

struct SmapsEntry {
  enum Field : uint32_t {
    kPath = 1,
    kSizeKb = 2,
    kPrivateDirtyKb = 3,
    kSwapKb = 4,
    kFileName = 5,
    kStartAddress = 6,
    kModuleTimestamp = 7,
    kModuleDebugid = 8,
    kModuleDebugPath = 9,
    kProtectionFlags = 10,
    kPrivateCleanResidentKb = 11,
    kSharedDirtyResidentKb = 12,
    kSharedCleanResidentKb = 13,
    kLockedKb = 14,
    kProportionalResidentKb = 15,
  };
};

struct SmapsPacket {
  enum Field : uint32_t {
    kPid = 1,
    kEntries = 2,
    kPackedEntries = 3,
    kRecordingType = 4,
  };
};

struct SourceLocation {
  enum Field : uint32_t {
    kIid = 1,
    kFileName = 2,
    kFunctionName = 3,
    kLineNumber = 4,
  };
};

struct StackSample {
  enum Field : uint32_t {
    kTaskContext = 1,
    kTaskContextIid = 2,
    kExecutionContext = 3,
    kExecutionContextIid = 4,
    kCallstack = 5,
    kCallstackIid = 6,
    kUnwindError = 7,
    kUnwindErrorIid = 8,
    kPrimaryDescriptor = 9,
    kPrimaryDescriptorIid = 10,
    kPrimaryWeight = 11,
    kFollowerDescriptors = 12,
    kFollowerDescriptorIids = 13,
    kFollowerWeights = 14,
  };
};

struct StackSampleDefaults {
  enum Field : uint32_t {
    kSource = 1,
    kPrimaryDescriptor = 2,
    kFollowerDescriptors = 3,
  };
};

struct StackSample_AsyncContextDescriptor {
  enum Field : uint32_t {
    kIid = 1,
    kName = 2,
    kKind = 3,
    kParentIid = 4,
  };
};

struct StackSample_CounterDescriptor {
  enum Field : uint32_t {
    kIid = 1,
    kName = 2,
    kUnit = 3,
    kUnitStr = 4,
    kUnitMultiplier = 5,
    kDescription = 6,
    kScope = 7,
  };
};

struct StackSample_ExecutionContext {
  enum Field : uint32_t {
    kIid = 1,
    kCpu = 2,
    kMode = 3,
  };
};

struct StackSample_TaskContext {
  enum Field : uint32_t {
    kIid = 1,
    kPid = 2,
    kTid = 3,
    kAsyncId = 4,
  };
};

struct StatsdAtom {
  enum Field : uint32_t {
    kAtom = 1,
    kTimestampNanos = 2,
  };
};

struct StreamingProfilePacket {
  enum Field : uint32_t {
    kCallstackIid = 1,
    kTimestampDeltaUs = 2,
    kProcessPriority = 3,
  };
};

struct SysStats {
  enum Field : uint32_t {
    kMeminfo = 1,
    kVmstat = 2,
    kCpuStat = 3,
    kNumForks = 4,
    kNumIrqTotal = 5,
    kNumIrq = 6,
    kNumSoftirqTotal = 7,
    kNumSoftirq = 8,
    kCollectionEndTimestamp = 9,
    kDevfreq = 10,
    kCpufreqKhz = 11,
    kBuddyInfo = 12,
    kDiskStat = 13,
    kPsi = 14,
    kThermalZone = 15,
    kCpuidleState = 16,
    kGpufreqMhz = 17,
    kSlabInfo = 18,
  };
};

struct SysStats_BuddyInfo {
  enum Field : uint32_t {
    kNode = 1,
    kZone = 2,
    kOrderPages = 3,
  };
};

struct SysStats_CpuIdleState {
  enum Field : uint32_t {
    kCpuId = 1,
    kCpuidleStateEntry = 2,
  };
};

struct SysStats_CpuIdleStateEntry {
  enum Field : uint32_t {
    kState = 1,
    kDurationUs = 2,
  };
};

struct SysStats_CpuTimes {
  enum Field : uint32_t {
    kCpuId = 1,
    kUserNs = 2,
    kUserNiceNs = 3,
    kSystemModeNs = 4,
    kIdleNs = 5,
    kIoWaitNs = 6,
    kIrqNs = 7,
    kSoftirqNs = 8,
    kStealNs = 9,
  };
};

struct SysStats_DevfreqValue {
  enum Field : uint32_t {
    kKey = 1,
    kValue = 2,
  };
};

struct SysStats_DiskStat {
  enum Field : uint32_t {
    kDeviceName = 1,
    kReadSectors = 2,
    kReadTimeMs = 3,
    kWriteSectors = 4,
    kWriteTimeMs = 5,
    kDiscardSectors = 6,
    kDiscardTimeMs = 7,
    kFlushCount = 8,
    kFlushTimeMs = 9,
  };
};

struct SysStats_InterruptCount {
  enum Field : uint32_t {
    kIrq = 1,
    kCount = 2,
  };
};

struct SysStats_MeminfoValue {
  enum Field : uint32_t {
    kKey = 1,
    kValue = 2,
  };
};

struct SysStats_PsiSample {
  enum Field : uint32_t {
    kResource = 1,
    kTotalNs = 2,
  };
};

struct SysStats_SlabInfo {
  enum Field : uint32_t {
    kName = 1,
    kPagesPerSlab = 2,
    kNumSlabs = 3,
  };
};

struct SysStats_ThermalZone {
  enum Field : uint32_t {
    kName = 1,
    kTemp = 2,
    kType = 3,
  };
};

struct SysStats_VmstatValue {
  enum Field : uint32_t {
    kKey = 1,
    kValue = 2,
  };
};

struct SystemInfo {
  enum Field : uint32_t {
    kUtsname = 1,
    kAndroidBuildFingerprint = 2,
    kHz = 3,
    kTracingServiceVersion = 4,
    kAndroidSdkVersion = 5,
    kPageSize = 6,
    kTimezoneOffMins = 7,
    kNumCpus = 8,
    kAndroidSocModel = 9,
    kAndroidHardwareRevision = 10,
    kAndroidStorageModel = 11,
    kAndroidRamModel = 12,
    kAndroidGuestSocModel = 13,
    kAndroidDeviceManufacturer = 14,
    kAndroidSerialConsole = 15,
    kSystemRamBytes = 16,
    kMachineName = 17,
  };
};

struct SystemdJournaldEvent {
  enum Field : uint32_t {
    kPid = 1,
    kTid = 2,
    kUid = 3,
    kGid = 4,
    kPrio = 5,
    kTag = 6,
    kMessage = 7,
    kComm = 8,
    kExe = 9,
    kSystemdUnit = 10,
    kHostname = 11,
    kTransport = 12,
    kNumTotal = 20,
    kNumFailed = 21,
  };
};

struct TaskExecution {
  enum Field : uint32_t {
    kPostedFromIid = 1,
  };
};

struct TaskNewtaskFtraceEvent {
  enum Field : uint32_t {
    kPid = 1,
    kComm = 2,
    kCloneFlags = 3,
    kOomScoreAdj = 4,
  };
};

struct TaskRenameFtraceEvent {
  enum Field : uint32_t {
    kPid = 1,
    kOldcomm = 2,
    kNewcomm = 3,
    kOomScoreAdj = 4,
  };
};

struct ThreadDescriptor {
  enum Field : uint32_t {
    kPid = 1,
    kTid = 2,
    kLegacySortIndex = 3,
    kChromeThreadType = 4,
    kThreadName = 5,
    kReferenceTimestampUs = 6,
    kReferenceThreadTimeUs = 7,
    kReferenceThreadInstructionCount = 8,
  };
};

struct TraceAttributes {
  enum Field : uint32_t {
    kAttribute = 1,
  };
};

struct TraceAttributes_Attribute {
  enum Field : uint32_t {
    kKey = 1,
    kLongValue = 2,
    kStringValue = 3,
  };
};

struct TraceConfig {
  enum Field : uint32_t {
    kBuffers = 1,
    kDataSources = 2,
    kDurationMs = 3,
    kEnableExtraGuardrails = 4,
    kLockdownMode = 5,
    kProducers = 6,
    kStatsdMetadata = 7,
    kWriteIntoFile = 8,
    kFileWritePeriodMs = 9,
    kMaxFileSizeBytes = 10,
    kGuardrailOverrides = 11,
    kDeferredStart = 12,
    kFlushPeriodMs = 13,
    kFlushTimeoutMs = 14,
    kNotifyTraceur = 16,
    kTriggerConfig = 17,
    kActivateTriggers = 18,
    kAllowUserBuildTracing = 19,
    kBuiltinDataSources = 20,
    kIncrementalStateConfig = 21,
    kUniqueSessionName = 22,
    kDataSourceStopTimeoutMs = 23,
    kCompressionType = 24,
    kIncidentReportConfig = 25,
    kTraceUuidMsb = 27,
    kTraceUuidLsb = 28,
    kOutputPath = 29,
    kBugreportScore = 30,
    kStatsdLogging = 31,
    kTraceFilter = 33,
    kAndroidReportConfig = 34,
    kCmdTraceStartDelay = 35,
    kPreferSuspendClockForDuration = 36,
    kBugreportFilename = 38,
    kSessionSemaphores = 39,
    kPriorityBoost = 40,
    kExclusivePrio = 41,
    kTraceAllMachines = 43,
    kWriteFlushMode = 44,
    kFflushPostWrite = 45,
    kCompression = 47,
    kTraceAttributes = 48,
  };
};

struct TraceConfig_BufferConfig {
  enum Field : uint32_t {
    kSizeKb = 1,
    kFillPolicy = 4,
    kTransferOnClone = 5,
    kClearBeforeClone = 6,
    kName = 7,
    kExperimentalMode = 8,
  };
};

struct TracePacket {
  enum Field : uint32_t {
    kFtraceEvents = 1,
    kProcessTree = 2,
    kTrustedUid = 3,
    kInodeFileMap = 4,
    kChromeEvents = 5,
    kClockSnapshot = 6,
    kSysStats = 7,
    kTimestamp = 8,
    kProcessStats = 9,
    kTrustedPacketSequenceId = 10,
    kTrackEvent = 11,
    kInternedData = 12,
    kSequenceFlags = 13,
    kTraceConfig = 33,
    kFtraceStats = 34,
    kTraceStats = 35,
    kSynchronizationMarker = 36,
    kProfilePacket = 37,
    kBattery = 38,
    kAndroidLog = 39,
    kPowerRails = 40,
    kIncrementalStateCleared = 41,
    kPreviousPacketDropped = 42,
    kProcessDescriptor = 43,
    kThreadDescriptor = 44,
    kSystemInfo = 45,
    kTrigger = 46,
    kPackagesList = 47,
    kChromeBenchmarkMetadata = 48,
    kPerfettoMetatrace = 49,
    kCompressedPackets = 50,
    kChromeMetadata = 51,
    kGpuCounterEvent = 52,
    kGpuRenderStageEvent = 53,
    kStreamingProfilePacket = 54,
    kHeapGraph = 56,
    kGraphicsFrameEvent = 57,
    kTimestampClockId = 58,
    kTracePacketDefaults = 59,
    kTrackDescriptor = 60,
    kModuleSymbols = 61,
    kVulkanMemoryEvent = 62,
    kGpuLog = 63,
    kDeobfuscationMapping = 64,
    kVulkanApiEvent = 65,
    kPerfSample = 66,
    kCpuInfo = 67,
    kSmapsPacket = 68,
    kServiceEvent = 69,
    kInitialDisplayState = 70,
    kGpuMemTotalEvent = 71,
    kExtensionDescriptor = 72,
    kMemoryTrackerSnapshot = 73,
    kStreamingAllocation = 74,
    kStreamingFree = 75,
    kFrameTimelineEvent = 76,
    kAndroidEnergyEstimationBreakdown = 77,
    kUiState = 78,
    kTrustedPid = 79,
    kTranslationTable = 82,
    kAndroidGameInterventionList = 83,
    kStatsdAtom = 84,
    kAndroidSystemProperty = 86,
    kFirstPacketOnSequence = 87,
    kNetworkPacket = 88,
    kTraceUuid = 89,
    kTrackEventRangeOfInterest = 90,
    kEntityStateResidency = 91,
    kNetworkPacketBundle = 92,
    kSurfaceflingerLayersSnapshot = 93,
    kSurfaceflingerTransactions = 94,
    kEtwEvents = 95,
    kShellTransition = 96,
    kShellHandlerMappings = 97,
    kMachineId = 98,
    kV8JsCode = 99,
    kV8InternalCode = 100,
    kV8WasmCode = 101,
    kV8RegExpCode = 102,
    kV8CodeMove = 103,
    kProtologMessage = 104,
    kProtologViewerConfig = 105,
    kRemoteClockSync = 107,
    kChromeTrigger = 109,
    kPixelModemEvents = 110,
    kPixelModemTokenDatabase = 111,
    kWinscopeExtensions = 112,
    kCloneSnapshotTrigger = 113,
    kBluetoothTraceEvent = 114,
    kKernelWakelockData = 115,
    kAppWakelockBundle = 116,
    kGenericKernelTaskStateEvent = 117,
    kGenericKernelCpuFreqEvent = 118,
    kCpuPerUidData = 119,
    kGenericKernelTaskRenameEvent = 120,
    kEvdevEvent = 121,
    kGenericKernelProcessTree = 122,
    kUserList = 123,
    kTraceProvenance = 124,
    kProtovms = 125,
    kTraceAttributes = 126,
    kAndroidAflags = 127,
    kGpuInfo = 128,
    kGenericGpuFrequencyEvent = 129,
    kInterruptInfo = 130,
    kArtProcessMetadata = 131,
    kJournaldEvent = 132,
    kZstdCompressedPackets = 133,
    kConcurrentSessionEvent = 134,
    kStackSample = 135,
    kForTesting = 900,
    kVideoFrame = 1000,
    kVideoFrameError = 1001,
    kAndroidProcessState = 1002,
    kAndroidFreezerState = 1003,
  };
};

struct TracePacketDefaults {
  enum Field : uint32_t {
    kTrackEventDefaults = 11,
    kPerfSampleDefaults = 12,
    kTimestampClockId = 58,
    kV8CodeDefaults = 99,
    kStackSampleDefaults = 100,
  };
};

struct TraceStats {
  enum Field : uint32_t {
    kBufferStats = 1,
    kProducersConnected = 2,
    kProducersSeen = 3,
    kDataSourcesRegistered = 4,
    kDataSourcesSeen = 5,
    kTracingSessions = 6,
    kTotalBuffers = 7,
    kChunksDiscarded = 8,
    kPatchesDiscarded = 9,
    kInvalidPackets = 10,
    kFilterStats = 11,
    kFlushesRequested = 12,
    kFlushesSucceeded = 13,
    kFlushesFailed = 14,
    kFinalFlushOutcome = 15,
    kChunkPayloadHistogramDef = 17,
    kWriterStats = 18,
  };
};

struct TraceStats_BufferStats {
  enum Field : uint32_t {
    kBytesWritten = 1,
    kChunksWritten = 2,
    kChunksOverwritten = 3,
    kWriteWrapCount = 4,
    kPatchesSucceeded = 5,
    kPatchesFailed = 6,
    kReadaheadsSucceeded = 7,
    kReadaheadsFailed = 8,
    kAbiViolations = 9,
    kChunksRewritten = 10,
    kChunksCommittedOutOfOrder = 11,
    kBufferSize = 12,
    kBytesOverwritten = 13,
    kBytesRead = 14,
    kPaddingBytesWritten = 15,
    kPaddingBytesCleared = 16,
    kChunksRead = 17,
    kChunksDiscarded = 18,
    kTraceWriterPacketLoss = 19,
    kChunksRelocated = 20,
  };
};

struct TraceStats_FilterStats {
  enum Field : uint32_t {
    kInputPackets = 1,
    kInputBytes = 2,
    kOutputBytes = 3,
    kErrors = 4,
    kTimeTakenNs = 5,
    kBytesDiscardedPerBuffer = 20,
  };
};

struct TraceStats_WriterStats {
  enum Field : uint32_t {
    kSequenceId = 1,
    kChunkPayloadHistogramCounts = 2,
    kChunkPayloadHistogramSum = 3,
    kBuffer = 4,
  };
};

struct TraceUuid {
  enum Field : uint32_t {
    kMsb = 1,
    kLsb = 2,
  };
};

struct TracingServiceEvent {
  enum Field : uint32_t {
    kAllDataSourcesStarted = 1,
    kTracingStarted = 2,
    kAllDataSourcesFlushed = 3,
    kReadTracingBuffersCompleted = 4,
    kTracingDisabled = 5,
    kSeizedForBugreport = 6,
    kSlowStartingDataSources = 7,
    kLastFlushSlowDataSources = 8,
    kFlushStarted = 9,
    kCloneStarted = 10,
    kBufferCloned = 11,
  };
};

struct TracingServiceEvent_DataSources {
  enum Field : uint32_t {
    kDataSource = 1,
  };
};

struct TracingServiceEvent_DataSources_DataSource {
  enum Field : uint32_t {
    kProducerName = 1,
    kDataSourceName = 2,
  };
};

struct TrackDescriptor {
  enum Field : uint32_t {
    kUuid = 1,
    kName = 2,
    kProcess = 3,
    kThread = 4,
    kParentUuid = 5,
    kChromeProcess = 6,
    kChromeThread = 7,
    kCounter = 8,
    kDisallowMergingWithSystemTracks = 9,
    kStaticName = 10,
    kChildOrdering = 11,
    kSiblingOrderRank = 12,
    kAtraceName = 13,
    kDescription = 14,
    kSiblingMergeBehavior = 15,
    kSiblingMergeKey = 16,
    kSiblingMergeKeyInt = 17,
    kState = 18,
    kProcessOrdering = 19,
    kThreadOrdering = 20,
  };
};

struct TrackEvent {
  enum Field : uint32_t {
    kTimestampDeltaUs = 1,
    kThreadTimeDeltaUs = 2,
    kCategoryIids = 3,
    kDebugAnnotations = 4,
    kTaskExecution = 5,
    kLegacyEvent = 6,
    kThreadInstructionCountDelta = 8,
    kType = 9,
    kNameIid = 10,
    kTrackUuid = 11,
    kExtraCounterValues = 12,
    kTimestampAbsoluteUs = 16,
    kThreadTimeAbsoluteUs = 17,
    kThreadInstructionCountAbsolute = 20,
    kLogMessage = 21,
    kCategories = 22,
    kName = 23,
    kCcSchedulerState = 24,
    kChromeUserEvent = 25,
    kChromeKeyedService = 26,
    kChromeLegacyIpc = 27,
    kChromeHistogramSample = 28,
    kChromeLatencyInfo = 29,
    kCounterValue = 30,
    kExtraCounterTrackUuids = 31,
    kChromeFrameReporter = 32,
    kSourceLocation = 33,
    kSourceLocationIid = 34,
    kChromeMessagePump = 35,
    kFlowIdsOld = 36,
    kChromeMojoEventInfo = 38,
    kChromeApplicationStateInfo = 39,
    kChromeRendererSchedulerState = 40,
    kChromeWindowHandleEventInfo = 41,
    kTerminatingFlowIdsOld = 42,
    kChromeContentSettingsEventInfo = 43,
    kDoubleCounterValue = 44,
    kExtraDoubleCounterTrackUuids = 45,
    kExtraDoubleCounterValues = 46,
    kFlowIds = 47,
    kTerminatingFlowIds = 48,
    kChromeActiveProcesses = 49,
    kScreenshot = 50,
    kCorrelationId = 52,
    kCorrelationIdStr = 53,
    kCorrelationIdStrIid = 54,
    kCallstack = 55,
    kCallstackIid = 56,
    kCallstackWeight = 57,
    kChromeAppState = 1000,
    kChromeMemoryPressureNotification = 1001,
    kChromeTaskAnnotator = 1002,
    kChromeBrowserContext = 1003,
    kChromeProfileDestroyer = 1004,
    kChromeTaskPostedToDisabledQueue = 1005,
    kChromeRasterTask = 1006,
    kChromeMessagePumpForUi = 1007,
    kRenderFrameImplDeletion = 1008,
    kShouldSwapBrowsingInstancesResult = 1009,
    kFrameTreeNodeInfo = 1010,
    kChromeHashedPerformanceMark = 1011,
    kRenderProcessHost = 1012,
    kRenderProcessHostCleanup = 1013,
    kRenderProcessHostListenerChanged = 1014,
    kChildProcessLauncherPriority = 1015,
    kResourceBundle = 1016,
    kChromeWebAppBadNavigate = 1017,
    kChromeExtensionId = 1018,
    kSiteInstance = 1019,
    kRenderViewHost = 1020,
    kRenderFrameProxyHost = 1021,
    kAndroidViewDump = 1022,
    kParkableStringCompressInBackground = 1023,
    kParkableStringUnpark = 1024,
    kChromeSamplingProfilerSampleCompleted = 1025,
    kSendBeginMainframeToCommitBreakdown = 1026,
    kGlobalRenderFrameHostId = 1027,
    kRenderFrameHost = 1028,
    kThreadPoolTask = 1029,
    kBackForwardCacheCanStoreDocumentResult = 1030,
    kRendererMainThreadTaskExecution = 1031,
    kEventLatency = 1032,
    kProcessSingleton = 1033,
    kSiteInstanceGroup = 1034,
    kBrowsingContextState = 1035,
    kDeviceThermalState = 1036,
    kNavigation = 1037,
    kAndroidIpc = 1038,
    kSqlDiagnostics = 1039,
    kSequenceManagerTask = 1040,
    kAndroidToolbar = 1041,
    kActiveProcesses = 1042,
    kBlinkTaskScope = 1043,
    kUkmPageLoadTimingUpdate = 1044,
    kTabSwitchMeasurement = 1046,
    kScrollDeltas = 1047,
    kWinRenderAudioFromSource = 1048,
    kMacAuhalStream = 1049,
    kLinuxAlsaOutput = 1050,
    kLinuxPulseOutput = 1051,
    kChromeGraphicsPipeline = 1052,
    kChromeosCrasUnified = 1053,
    kLibunwindstackUnwinder = 1054,
    kScrollPredictorMetrics = 1055,
    kPageLoad = 1056,
    kStartup = 1057,
    kWebContentInteraction = 1058,
    kEventForwarder = 1059,
    kTouchDispositionGestureFilter = 1060,
    kViewClassName = 1061,
    kWebviewStartup = 1063,
    kAnimationFrameTimingInfo = 1064,
    kAnimationFrameScriptTimingInfo = 1065,
    kScrollMetrics = 1066,
    kMainFramePipeline = 1067,
    kEventTiming = 1069,
    kAndroidChoreographerFrameCallbackData = 1070,
    kCurrentTask = 1071,
    kWebExposedIsolationInfo = 1072,
    kUrlInfo = 1073,
    kBeginFrameId = 1074,
    kFrameReporter = 1075,
    kInputTransferHandler = 1076,
    kResponseInfo = 1077,
    kScrollJankV4 = 1078,
    kMemoryDumpProvider = 1079,
    kChromeAccessibilityWinNotifyWinEvent = 1080,
    kFrameIntervalDecider = 1081,
    kBeginFrameArgs = 1082,
    kMacVoucherRelease = 1083,
    kAndroidVsyncIntervalDecision = 1084,
    kFrameDeadlineDecider = 1085,
    kBinderServiceName = 2001,
    kBinderInterfaceName = 2002,
    kApexName = 2003,
    kMessageQueue = 2004,
    kBitmap = 2005,
    kJobSchedulerJob = 2006,
    kSurfaceflingerWorkload = 2007,
    kBroadcastEvent = 2008,
    kFreezerEvent = 2009,
    kProcessStartEvent = 2010,
    kProcessDiedEvent = 2011,
    kProcessStateChangedEvent = 2012,
    kBinderDiedEvent = 2013,
    kServiceStateChangedEvent = 2014,
    kProviderStateChangedEvent = 2015,
    kFgServiceStateChangedEvent = 2016,
    kCapabilitySummaryEvent = 2017,
    kCapabilityUpdateEvent = 2018,
    kProcStateSummaryEvent = 2019,
    kProcStateUpdateEvent = 2020,
    kSelfBroadcastEvent = 2021,
    kGpuCorrelation = 3000,
    kGpuApi = 3001,
  };
};

struct TrackEventDefaults {
  enum Field : uint32_t {
    kTrackUuid = 11,
    kExtraCounterTrackUuids = 31,
    kExtraDoubleCounterTrackUuids = 45,
  };
};

struct TrackEventRangeOfInterest {
  enum Field : uint32_t {
    kStartUs = 1,
  };
};

struct TrackEvent_InlineCallstack {
  enum Field : uint32_t {
    kFrames = 1,
  };
};

struct TrackEvent_InlineCallstack_Frame {
  enum Field : uint32_t {
    kFunctionName = 1,
    kSourceFile = 2,
    kLineNumber = 3,
  };
};

struct TrackEvent_LegacyEvent {
  enum Field : uint32_t {
    kNameIid = 1,
    kPhase = 2,
    kDurationUs = 3,
    kThreadDurationUs = 4,
    kUnscopedId = 6,
    kIdScope = 7,
    kBindId = 8,
    kUseAsyncTts = 9,
    kLocalId = 10,
    kGlobalId = 11,
    kBindToEnclosing = 12,
    kFlowDirection = 13,
    kInstantEventScope = 14,
    kThreadInstructionDelta = 15,
    kPidOverride = 18,
    kTidOverride = 19,
  };
};

struct TranslationTable {
  enum Field : uint32_t {
    kChromeHistogram = 1,
    kChromeUserEvent = 2,
    kChromePerformanceMark = 3,
    kSliceName = 4,
    kProcessTrackName = 5,
    kChromeStudy = 6,
  };
};

struct Trigger {
  enum Field : uint32_t {
    kTriggerName = 1,
    kProducerName = 2,
    kTrustedProducerUid = 3,
    kStopDelayMs = 4,
  };
};

struct Utsname {
  enum Field : uint32_t {
    kSysname = 1,
    kVersion = 2,
    kRelease = 3,
    kMachine = 4,
  };
};

struct V8CodeDefaults {
  enum Field : uint32_t {
    kTid = 1,
  };
};

struct V8CodeMove {
  enum Field : uint32_t {
    kIsolateIid = 1,
    kTid = 2,
    kFromInstructionStartAddress = 3,
    kToInstructionStartAddress = 4,
    kInstructionSizeBytes = 5,
    kToMachineCode = 6,
    kToBytecode = 7,
  };
};

struct V8InternalCode {
  enum Field : uint32_t {
    kV8IsolateIid = 1,
    kTid = 2,
    kName = 3,
    kType = 4,
    kBuiltinId = 5,
    kInstructionStart = 6,
    kInstructionSizeBytes = 7,
    kMachineCode = 8,
  };
};

struct V8JsCode {
  enum Field : uint32_t {
    kV8IsolateIid = 1,
    kTid = 2,
    kV8JsFunctionIid = 3,
    kTier = 4,
    kInstructionStart = 5,
    kInstructionSizeBytes = 6,
    kMachineCode = 7,
    kBytecode = 8,
    kSourcePositions = 9,
    kBytecodePositions = 10,
    kInlinedBytecodePositions = 11,
  };
};

struct V8RegExpCode {
  enum Field : uint32_t {
    kV8IsolateIid = 1,
    kTid = 2,
    kPattern = 3,
    kInstructionStart = 4,
    kInstructionSizeBytes = 5,
    kMachineCode = 6,
  };
};

struct V8String {
  enum Field : uint32_t {
    kLatin1 = 1,
    kUtf16Le = 2,
    kUtf16Be = 3,
  };
};

struct V8WasmCode {
  enum Field : uint32_t {
    kV8IsolateIid = 1,
    kTid = 2,
    kV8WasmScriptIid = 3,
    kFunctionName = 4,
    kTier = 5,
    kCodeOffsetInModule = 6,
    kInstructionStart = 7,
    kInstructionSizeBytes = 8,
    kMachineCode = 9,
  };
};

struct VulkanApiEvent {
  enum Field : uint32_t {
    kVkDebugUtilsObjectName = 1,
    kVkQueueSubmit = 2,
  };
};

struct VulkanApiEvent_VkDebugUtilsObjectName {
  enum Field : uint32_t {
    kPid = 1,
    kVkDevice = 2,
    kObjectType = 3,
    kObject = 4,
    kObjectName = 5,
  };
};

struct VulkanApiEvent_VkQueueSubmit {
  enum Field : uint32_t {
    kDurationNs = 1,
    kPid = 2,
    kTid = 3,
    kVkQueue = 4,
    kVkCommandBuffers = 5,
    kSubmissionId = 6,
  };
};

struct VulkanMemoryEvent {
  enum Field : uint32_t {
    kSource = 1,
    kOperation = 2,
    kTimestamp = 3,
    kPid = 4,
    kMemoryAddress = 5,
    kMemorySize = 6,
    kCallerIid = 7,
    kAllocationScope = 8,
    kAnnotations = 9,
    kDevice = 16,
    kDeviceMemory = 17,
    kMemoryType = 18,
    kHeap = 19,
    kObjectHandle = 20,
  };
};

struct VulkanMemoryEventAnnotation {
  enum Field : uint32_t {
    kKeyIid = 1,
    kIntValue = 2,
    kDoubleValue = 3,
    kStringIid = 4,
  };
};

struct BuiltinClock {
  enum Value : uint32_t {
    kUnknown = 0,
    kRealtime = 1,
    kRealtimeCoarse = 2,
    kMonotonic = 3,
    kMonotonicCoarse = 4,
    kMonotonicRaw = 5,
    kBoottime = 6,
    kTsc = 9,
    kPerf = 10,
    kTraceFile = 11,
    kMaxId = 63,
  };
};

struct CounterDescriptor_BuiltinCounterType {
  enum Value : uint32_t {
    kUnspecified = 0,
    kThreadTimeNs = 1,
    kThreadInstructionCount = 2,
  };
};

struct CounterDescriptor_Unit {
  enum Value : uint32_t {
    kUnspecified = 0,
    kTimeNs = 1,
    kCount = 2,
    kSizeBytes = 3,
  };
};

struct DebugAnnotation_NestedValue_NestedType {
  enum Value : uint32_t {
    kUnspecified = 0,
    kDict = 1,
    kArray = 2,
  };
};

struct FtraceClock {
  enum Value : uint32_t {
    kUnspecified = 0,
    kUnknown = 1,
    kGlobal = 2,
    kLocal = 3,
    kMonoRaw = 4,
  };
};

struct FtraceParseStatus {
  enum Value : uint32_t {
    kUnspecified = 0,
    kOk = 1,
    kUnexpectedReadError = 2,
    kPartialPageRead = 3,
    kAbiInvalidPageHeader = 4,
    kAbiShortEventHeader = 5,
    kAbiNullPadding = 6,
    kAbiShortPaddingLength = 7,
    kAbiInvalidPaddingLength = 8,
    kAbiShortTimeExtend = 9,
    kAbiShortTimeStamp = 10,
    kAbiShortDataLength = 11,
    kAbiZeroDataLength = 12,
    kAbiInvalidDataLength = 13,
    kAbiShortEventId = 14,
    kAbiEndOverflow = 15,
    kShortCompactEvent = 16,
    kInvalidEvent = 17,
  };
};

struct FtraceStats_Phase {
  enum Value : uint32_t {
    kUnspecified = 0,
    kStartOfTrace = 1,
    kEndOfTrace = 2,
  };
};

struct MemoryTrackerSnapshot_LevelOfDetail {
  enum Value : uint32_t {
    kFull = 0,
    kLight = 1,
    kBackground = 2,
  };
};

struct MemoryTrackerSnapshot_ProcessSnapshot_MemoryNode_MemoryNodeEntry_Units {
  enum Value : uint32_t {
    kUnspecified = 0,
    kBytes = 1,
    kCount = 2,
  };
};

struct SysStats_PsiSample_PsiResource {
  enum Value : uint32_t {
    kUnspecified = 0,
    kCpuSome = 1,
    kCpuFull = 2,
    kIoSome = 3,
    kIoFull = 4,
    kMemorySome = 5,
    kMemoryFull = 6,
  };
};

struct TraceConfig_BufferConfig_FillPolicy {
  enum Value : uint32_t {
    kUnspecified = 0,
    kRingBuffer = 1,
    kDiscard = 2,
  };
};

struct TrackDescriptor_ChildTracksOrdering {
  enum Value : uint32_t {
    kUnknown = 0,
    kLexicographic = 1,
    kChronological = 2,
    kExplicit = 3,
  };
};

struct TrackDescriptor_SiblingMergeBehavior {
  enum Value : uint32_t {
    kUnspecified = 0,
    kByTrackName = 1,
    kNone = 2,
    kBySiblingMergeKey = 3,
  };
};

struct TrackEvent_LegacyEvent_FlowDirection {
  enum Value : uint32_t {
    kUnspecified = 0,
    kIn = 1,
    kOut = 2,
    kInout = 3,
  };
};

struct TrackEvent_LegacyEvent_InstantEventScope {
  enum Value : uint32_t {
    kUnspecified = 0,
    kGlobal = 1,
    kProcess = 2,
    kThread = 3,
  };
};

struct TrackEvent_Type {
  enum Value : uint32_t {
    kUnspecified = 0,
    kSliceBegin = 1,
    kSliceEnd = 2,
    kInstant = 3,
    kCounter = 4,
    kState = 5,
  };
};

struct V8JsCode_Tier {
  enum Value : uint32_t {
    kUnknown = 0,
    kIgnition = 1,
    kSparkplug = 2,
    kMaglev = 3,
    kTurboshaft = 4,
    kTurbofan = 5,
  };
};

}  // namespace tracebraid::proto::field
