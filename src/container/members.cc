#include "container/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "container/bugreport.h"
#include "container/content.h"
#include "container/sniff.h"
#include "container/source.h"
#include "container/tar.h"
#include "container/unpack.h"
#include "container/zip.h"

namespace tracebraid {
namespace {

constexpr size_t kLogHeadBytes = 4096;

// Takes a byte of the input. An input whose expected bytes are missing is not empty.
bool is_empty(Input& input) { return !input.next(1) && !input.problem(); }

// The members found so far. Archives wait until enter_all() lists them.
class Tree {
 public:
  Tree(std::shared_ptr<Budget> budget, Progress& progress)
      : budget_(std::move(budget)), progress_(progress) {}

  void add_source(Source source) {
    const bool unread = source.problem && source.size() == 0;
    budget_->packed += source.size();
    const uint32_t row = add({.name = std::move(source.name),
                              .path = std::move(source.path),
                              .in_folder = source.in_folder});
    if (source.problem) members_[row].problems.push_back(*std::move(source.problem));
    if (unread) return;
    if (source.file)
      set_content(row, std::make_shared<Content>(std::move(source.file), budget_));
    else
      set_content(row, content_of(source.bytes));
  }

  // Depth first: all members inside one archive come before its next sibling. Uses a list instead
  // of recursion, because the input decides the depth.
  Result<> enter_all() {
    std::vector<uint32_t> waiting = archives_from(0);
    while (!waiting.empty()) {
      const uint32_t row = waiting.back();
      waiting.pop_back();
      const auto first = static_cast<uint32_t>(members_.size());
      TB_TRY(enter(row));
      const std::vector<uint32_t> inner = archives_from(first);
      waiting.insert(waiting.end(), inner.begin(), inner.end());
    }
    return {};
  }

  std::vector<Member> finish() && { return std::move(members_); }

 private:
  // Facts about a row, kept until its archive has been listed.
  struct Pending {
    std::shared_ptr<const Content> content;  // of archives only
    uint32_t depth = 0;
  };

  uint32_t add(Member member) {
    const uint32_t depth = member.parent ? pending_[*member.parent].depth + 1 : 0;
    members_.push_back(std::move(member));
    pending_.push_back({nullptr, depth});
    return static_cast<uint32_t>(members_.size() - 1);
  }

  uint32_t add_child(uint32_t parent, std::string_view name, uint64_t size) {
    std::string path = members_[parent].path;
    if (!name.empty()) path.append("/").append(name);
    return add(
        {.parent = parent, .name = std::string(name), .path = std::move(path), .size = size});
  }

  std::shared_ptr<Content> content_of(const Bytes& bytes) const {
    return std::make_shared<Content>(bytes, budget_);
  }

  // Sniffs the content. An archive waits to be listed; any other content can be opened.
  void set_content(uint32_t row, std::shared_ptr<const Content> content) {
    Member& member = members_[row];
    Input input = open_content(*content);
    member.container = sniff_container(input.peek(kSniffBytes));
    member.empty = is_empty(input);
    if (!member.parent) member.size = content->size_in_container();
    if (member.container != ContainerKind::None)
      pending_[row].content = std::move(content);
    else
      set_leaf(row, std::move(content));
  }

  void set_leaf(uint32_t row, std::shared_ptr<const Content> content) {
    members_[row].open = [content = std::move(content)]() -> Result<Input> {
      return open_content(*content);
    };
  }

  // Returns the archives among the rows from `first` on, in reverse order of listing.
  std::vector<uint32_t> archives_from(uint32_t first) const {
    std::vector<uint32_t> rows;
    for (uint32_t row = first; row < members_.size(); ++row)
      if (pending_[row].content) rows.push_back(row);
    const auto key = [&](uint32_t row) {
      const Member& member = members_[row];
      const bool last = member.container == ContainerKind::Ctrace;
      return std::tuple(last, member.name ? std::string_view(*member.name) : "", row);
    };
    std::ranges::sort(rows, [&](uint32_t a, uint32_t b) { return key(a) > key(b); });
    return rows;
  }

  // Lists the members of an archive. Returns an Error only if cancelled; any other failure is a
  // problem of the archive.
  Result<> enter(uint32_t row) {
    const std::shared_ptr<const Content> content = std::exchange(pending_[row].content, nullptr);
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    if (pending_[row].depth >= budget_->limits.max_depth) {
      add_problem(row,
                  {ErrorCode::Limit,
                   fmt::format("archives are nested more than {} deep; if that is expected, raise "
                               "--max-depth",
                               budget_->limits.max_depth)});
      return {};
    }
    Result<Spooled> gathered = gather_content(*content, budget_, progress_);
    if (!gathered && gathered.error().code == ErrorCode::Cancelled)
      return tl::unexpected(std::move(gathered).error());
    if (!gathered) {
      add_problem(row, std::move(gathered).error());
      return {};
    }
    if (gathered->problem) add_problem(row, *std::move(gathered->problem));
    members_[row].size = gathered->bytes.view.size();
    list(row, gathered->bytes);
    return {};
  }

  void list(uint32_t row, const Bytes& bytes) {
    switch (members_[row].container) {
      case ContainerKind::Tar:
        return add_tar_members(row, bytes);
      case ContainerKind::Zip:
        return add_zip_members(row, bytes);
      case ContainerKind::Gzip:
        return add_streams(row, bytes, Codec::Gzip);
      case ContainerKind::Zstd:
        return add_streams(row, bytes, Codec::Zstd);
      case ContainerKind::Xz:
        return add_streams(row, bytes, Codec::Xz);
      case ContainerKind::Ctrace:
        return add_streams(row, bytes.part(ctrace_data(bytes.view)), Codec::Zlib);
      case ContainerKind::None:
        break;
    }
  }

  void add_tar_members(uint32_t row, const Bytes& bytes) {
    const TarListing listing = list_tar(bytes.view, members_left());
    for (const TarEntry& entry : listing.entries)
      if (!is_hidden(entry.name))
        set_content(add_child(row, entry.name, entry.size),
                    content_of(bytes.part(entry.offset, entry.size)));
    for (const Error& problem : listing.problems) add_problem(row, problem);
    if (listing.too_many) add_too_many(row);
  }

  void add_zip_members(uint32_t row, const Bytes& bytes) {
    const MeasureEntry measure = [&](Codec codec, uint64_t offset) {
      const std::shared_ptr<Content> rest = content_of(bytes.part(offset));
      return measure_frame({rest->bytes, codec, false, std::nullopt}, rest->meter);
    };
    ZipListing listing = list_zip(bytes.view, members_left(), measure);
    std::erase_if(listing.entries, [](const ZipEntry& entry) {
      return entry.name.ends_with('/') || is_hidden(entry.name);
    });
    if (const std::optional<BugreportTime> report = find_bugreport(listing))
      add_bugreport(row, bytes, listing, *report);
    else
      for (const ZipEntry& entry : listing.entries) add_zip_member(row, bytes, entry);
    for (Error& problem : listing.problems) add_problem(row, std::move(problem));
    if (listing.too_many) add_too_many(row);
  }

  void add_zip_member(uint32_t row, const Bytes& bytes, const ZipEntry& entry) {
    const uint32_t child = add_child(row, entry.name, entry.packed_size);
    if (entry.unsupported)
      add_problem(child, *entry.unsupported);
    else
      set_content(child, zip_content(bytes, entry));
  }

  std::shared_ptr<Content> zip_content(const Bytes& bytes, const ZipEntry& entry) const {
    std::shared_ptr<Content> content = content_of(bytes.part(entry.offset, entry.packed_size));
    content->codec = entry.codec;
    content->many_frames = entry.codec != Codec::Deflate;
    content->size = entry.size;
    content->crc = entry.crc;
    content->name = entry.name;
    return content;
  }

  static std::optional<BugreportTime> find_bugreport(const ZipListing& listing) {
    for (const ZipEntry& entry : listing.entries)
      if (std::optional<BugreportTime> report = parse_bugreport_name(entry.name)) return report;
    return std::nullopt;
  }

  // Adds the first text, then the logs by time; other files only have rows (spec clocks 11.2).
  void add_bugreport(uint32_t row, const Bytes& bytes, const ZipListing& listing,
                     const BugreportTime& report) {
    members_[row].bugreport = true;
    members_[add_child(row, "", 0)].ignored = true;
    std::vector<std::tuple<bool, std::string, uint32_t>> logs;  // without time, time, row
    bool has_text = false;
    for (const ZipEntry& entry : listing.entries) {
      const uint32_t child = add_child(row, entry.name, entry.packed_size);
      const bool is_text = !has_text && parse_bugreport_name(entry.name).has_value();
      const bool is_read = is_text || is_bugreport_log(entry.name);
      members_[child].ignored = !is_read;
      if (!is_read) continue;
      if (entry.unsupported) {
        add_problem(child, *entry.unsupported);
        continue;
      }
      has_text |= is_text;
      const std::shared_ptr<const Content> content = zip_content(bytes, entry);
      Input input = open_content(*content);
      std::string start = bugreport_log_start(input.peek(kLogHeadBytes), report);
      members_[child].empty = is_empty(input);
      if (is_text)
        members_[child].reading_rank = 0;
      else
        logs.emplace_back(start.empty(), std::move(start), child);
      set_leaf(child, content);
    }
    std::ranges::sort(logs);
    for (uint32_t rank = 1; const auto& log : logs)
      members_[std::get<2>(log)].reading_rank = rank++;
  }

  // Adds all frames as one stream, except that a manifest at its start is a member of its own and
  // configures the rest (spec clocks 15 A4).
  void add_streams(uint32_t row, Bytes rest, Codec codec) {
    while (true) {
      if (members_left() == 0) return add_too_many(row);
      std::shared_ptr<Content> stream = stream_content(rest, codec);
      const uint64_t manifest_end = end_of_manifest(*stream);
      if (manifest_end == 0) return set_content(add_child(row, "", 0), std::move(stream));
      set_content(add_child(row, "", 0), stream_content(rest.part(0, manifest_end), codec));
      rest = rest.part(manifest_end);
    }
  }

  std::shared_ptr<Content> stream_content(const Bytes& bytes, Codec codec) const {
    std::shared_ptr<Content> content = content_of(bytes);
    content->codec = codec;
    // Text that atrace prints after its data is not part of the stream.
    content->many_frames = codec != Codec::Zlib;
    return content;
  }

  // Returns where the frame of a manifest ends, if another frame follows; else 0.
  static uint64_t end_of_manifest(const Content& stream) {
    Input input = open_content(stream);
    if (!looks_like_manifest(input.peek(kSniffBytes))) return 0;
    const Result<FrameExtent> frame =
        measure_frame({stream.bytes, *stream.codec, false, std::nullopt}, stream.meter);
    if (!frame || !starts_frame(*stream.codec, stream.bytes.view.substr(frame->packed))) return 0;
    return frame->packed;
  }

  uint32_t members_left() const {
    const uint32_t limit = budget_->limits.max_members;
    return limit - static_cast<uint32_t>(std::min<size_t>(members_.size(), limit));
  }
  void add_problem(uint32_t row, Error problem) {
    members_[row].problems.push_back(std::move(problem));
  }
  void add_too_many(uint32_t row) {
    add_problem(row, {ErrorCode::Limit,
                      fmt::format("more than {} members; if that is expected, raise --max-members",
                                  budget_->limits.max_members)});
  }

  std::shared_ptr<Budget> budget_;
  Progress& progress_;
  std::vector<Member> members_;
  std::vector<Pending> pending_;  // indexed like the rows
};

}  // namespace

Result<std::vector<Member>> open_members(std::span<const TraceInput> inputs,
                                         const ContainerOptions& options, Progress& progress) {
  progress.begin("opening", 0);
  const auto budget = std::make_shared<Budget>(options);
  TB_TRY_ASSIGN(std::vector<Source> sources, open_sources(inputs, budget, progress));
  Tree tree(budget, progress);
  for (Source& source : sources) tree.add_source(std::move(source));
  TB_TRY(tree.enter_all());
  return std::move(tree).finish();
}

Result<std::vector<Member>> open_bytes(std::string path, std::string_view bytes,
                                       std::shared_ptr<const void> owner,
                                       const ContainerOptions& options, Progress& progress) {
  Tree tree(std::make_shared<Budget>(options), progress);
  tree.add_source({.path = std::move(path), .bytes = {bytes, std::move(owner)}});
  TB_TRY(tree.enter_all());
  return std::move(tree).finish();
}

}  // namespace tracebraid
