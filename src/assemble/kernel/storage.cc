// Block devices, UFS, file systems (spec proto 5.5, "Block, filesystem, storage, network").
#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <array>
#include <bit>
#include <utility>

#include "assemble/kernel/by_machine.h"
#include "assemble/kernel/topics.h"
#include "kernel/values.h"

namespace tracebraid {
namespace {

struct StorageState {
  // Unfinished reads of files: the thread, by inode and offset.
  absl::flat_hash_map<std::pair<OfMachine, int64_t>, uint64_t> file_reads;
};

constexpr TrackKind kFileReads{.type = "android_fs", .lanes = Lanes::ByCookie};

// Has the type of a counter track, but slices.
uint32_t block_track(KernelEmitter& out, const KernelEvent& e) {
  return out.track(e, counter_kind("block_io"), kNone, {{"block_device", e.i64("dev")}},
                   StringId{});
}

void block_io_start(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, block_track(out, e), out.id("block_io"),
            {.args = out.args().uint("sector", e.u64("sector")).close()});
}

void block_io_done(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, block_track(out, e), out.id("block_io"),
          {.args = out.args().uint("sector", e.u64("sector")).close()});
}

void ufshcd_command(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t doorbell = e.u32("doorbell"), step = e.u32("str_t"), tag = e.u32("tag");
  const int open = doorbell != 0 ? std::popcount(doorbell) : step == 1 ? 0 : 1;
  out.counter(e, out.track(e, counter_kind("ufs_command_count"), kNone, {}, "io.ufs.command.count"),
              open);
  const uint32_t track = out.track(e, {.type = "ufs_command_tag"}, kNone, {{"ufs_tag", tag}},
                                   [=] { return fmt::format("io.ufs.command.tag[{:03}]", tag); });
  if (step != 0) {
    out.end(e, track);
    return;
  }
  std::string name(ufs_opcode(e.u32("opcode")));
  if (const uint32_t group = e.u32("group_id"); group > 0)
    name += fmt::format(" (GID={:#x})", group);
  out.begin(e, track, out.id(name));
}

void ufshcd_clk_gating(KernelEmitter& out, const KernelEvent& e) {
  constexpr std::array<int, 4> kShown{0, 3, 1, 2};
  const uint32_t state = e.u32("state");
  out.counter(e,
              out.track(e, counter_kind("ufs_clkgating"), kNone, {},
                        "io.ufs.clkgating (OFF:0/REQ_OFF/REQ_ON/ON:3)"),
              state < kShown.size() ? kShown[state] : 0);
}

std::string device_name(const KernelEvent& e) {
  const uint64_t dev = e.u64("dev");
  return fmt::format("{}:{}", dev >> 8 & 0xff, dev & 0xff);
}

struct KeyAndField {
  std::string_view key;
  FieldKey field;
};
constexpr KeyAndField kIostat[] = {
    {"write_app_total", "app_wio"},    {"write_app_direct", "app_dio"},
    {"write_app_buffered", "app_bio"}, {"write_app_mapped", "app_mio"},
    {"write_fs_data", "fs_dio"},       {"write_fs_node", "fs_nio"},
    {"write_fs_meta", "fs_mio"},       {"write_gc_data", "fs_gc_dio"},
    {"write_gc_node", "fs_gc_nio"},    {"write_cp_data", "fs_cp_dio"},
    {"write_cp_node", "fs_cp_nio"},    {"write_cp_meta", "fs_cp_mio"},
    {"read_app_total", "app_rio"},     {"read_app_direct", "app_drio"},
    {"read_app_buffered", "app_brio"}, {"read_app_mapped", "app_mrio"},
    {"read_fs_data", "fs_drio"},       {"read_fs_gdata", "fs_gdrio"},
    {"read_fs_cdata", "fs_cdrio"},     {"read_fs_node", "fs_nrio"},
    {"read_fs_meta", "fs_mrio"},       {"other_fs_discard", "fs_discard"}};

void add_device_counter(KernelEmitter& out, const KernelEvent& e, std::string_view type,
                        const std::string& device, std::string_view key, FieldKey field) {
  const uint32_t track =
      out.track(e, counter_kind(type), kNone, {{"linux_device", device}, {"counter_key", key}},
                [&] { return fmt::format("{}.[{}].{}", type, device, key); });
  out.counter(e, track, static_cast<double>(e.u64(field)));
}

void f2fs_iostat(KernelEmitter& out, const KernelEvent& e) {
  const std::string device = device_name(e);
  for (const KeyAndField& each : kIostat)
    add_device_counter(out, e, "f2fs_iostat", device, each.key, each.field);
}

void f2fs_iostat_latency(KernelEmitter& out, const KernelEvent& e) {
  struct Group {
    std::string_view key, field;
  };
  constexpr Group kGroups[] = {{"read_data", "d_rd"},           {"read_node", "n_rd"},
                               {"read_meta", "m_rd"},           {"write_sync_data", "d_wr_s"},
                               {"write_sync_node", "n_wr_s"},   {"write_sync_meta", "m_wr_s"},
                               {"write_async_data", "d_wr_as"}, {"write_async_node", "n_wr_as"},
                               {"write_async_meta", "m_wr_as"}};
  const std::string device = device_name(e);
  for (const Group& group : kGroups)
    for (const std::string_view what : {"peak", "avg", "cnt"})
      add_device_counter(out, e, "f2fs_iostat_latency", device,
                         fmt::format("{}_{}", group.key, what),
                         FieldKey(std::string_view(fmt::format("{}_{}", group.field, what))));
}

ArgSource checkpoint_args(KernelEmitter& out, const KernelEvent& e) {
  constexpr std::array<std::string_view, 8> kReasons{"Umount",  "Fastboot", "Sync",  "Recovery",
                                                     "Discard", "Trimmed",  "Pause", "Resize"};
  const int32_t reason = e.i32("reason");
  MadeArgs& args = out.args();
  args.uint("dev", e.u64("dev")).integer("reason_int", reason);
  if (reason == 0) return args.text("reason_str", "Unknown").close();
  size_t index = 0;
  for (size_t bit = 0; bit < kReasons.size(); ++bit)
    if ((static_cast<uint32_t>(reason) >> bit & 1) != 0)
      args.element("reason_str", index++, ArgType::String, out.id(kReasons[bit]).row);
  return args.close();
}

void f2fs_write_checkpoint(KernelEmitter& out, const KernelEvent& e) {
  enum Phase : uint32_t { kStart = 0, kFinish = 2 };
  const uint32_t phase = e.u32("phase");
  if (phase != kStart && phase != kFinish) return;
  const uint32_t upid = out.process_of(e, e.tid());
  const uint32_t track =
      out.track(e, {.type = "f2fs_write_checkpoint", .scope = TrackScope::Process}, upid, {},
                [&] { return fmt::format("f2fs_ckpt {}", e.tid()); });
  out.end(e, track);
  if (phase == kStart)
    out.begin(e, track, out.id("F2fs Write Checkpoint"), {.args = checkpoint_args(out, e)});
}

// The end event has the file and the offset, but not the thread.
using Read = std::pair<OfMachine, int64_t>;
Read read_of(const KernelEvent& e) { return {{e.machine, e.u64("ino")}, e.i64("offset")}; }

uint32_t reads_track(KernelEmitter& out, const KernelEvent& e) {
  return out.track(e, kFileReads, kNone, {}, "android_fs");
}

void android_fs_dataread_start(KernelEmitter& out, StorageState& state, const KernelEvent& e) {
  const auto cookie = static_cast<uint64_t>(e.i64("pid"));
  state.file_reads[read_of(e)] = cookie;
  const ArgSource args = out.args()
                             .text("file_path", e.text("pathbuf"))
                             .integer("offset_start", e.i64("offset"))
                             .integer("bytes_read_start", e.i32("bytes"))
                             .close();
  out.begin(e, reads_track(out, e), out.id("android_fs_data_read"),
            {.args = args, .cookie = cookie});
}

void android_fs_dataread_end(KernelEmitter& out, StorageState& state, const KernelEvent& e) {
  const auto at = state.file_reads.find(read_of(e));
  if (at == state.file_reads.end()) return;
  const ArgSource args = out.args()
                             .integer("offset_end", e.i64("offset"))
                             .integer("bytes_read_end", e.i32("bytes"))
                             .close();
  out.end(e, reads_track(out, e), {}, {.args = args, .cookie = at->second});
  state.file_reads.erase(at);
}

constexpr KernelHandler<StorageState> kHandlers[] = {
    {"block_io_start", block_io_start},
    {"block_io_done", block_io_done},
    {"ufshcd_command", ufshcd_command},
    {"ufshcd_clk_gating", ufshcd_clk_gating},
    {"f2fs_iostat", f2fs_iostat},
    {"f2fs_iostat_latency", f2fs_iostat_latency},
    {"f2fs_write_checkpoint", f2fs_write_checkpoint},
    {"android_fs_dataread_start", android_fs_dataread_start},
    {"android_fs_dataread_end", android_fs_dataread_end},
};

}  // namespace

std::unique_ptr<KernelTopic> storage_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
