#include "merge/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "manifest/manifest.h"
#include "merge/unknown_input.h"

namespace tracebraid {
namespace {

void sniff(TraceFile& file) {
  Result<Input> input = file.open();
  if (!input) {
    file.problems.push_back(std::move(input).error());
    file.open = nullptr;
    return;
  }
  const Peek peek{input->peek(kPeekBytes), file.path};
  if (is_manifest(peek.head)) {
    file.is_manifest = true;
    return;
  }
  file.format = detect(peek);
  if (file.format != nullptr && (!file.parent || file.format->refused_in_archives.empty())) return;
  file.open = nullptr;
  if (input->problem()) file.problems.push_back(*input->problem());
  file.problems.push_back({ErrorCode::Unsupported,
                           file.format != nullptr ? std::string(file.format->refused_in_archives)
                                                  : describe_unknown(peek)});
  file.format = nullptr;
}

TraceFile recognise_member(Member member) {
  TraceFile file{.parent = member.parent,
                 .name = std::move(member.name),
                 .path = std::move(member.path),
                 .container = member.container,
                 .in_folder = member.in_folder,
                 .is_bugreport = member.bugreport,
                 .size = member.size,
                 .reading_rank = member.reading_rank,
                 .problems = std::move(member.problems)};
  const bool is_leaf = !file.is_container() && !member.ignored && !member.empty;
  if (is_leaf && member.open) {
    file.open = std::move(member.open);
    sniff(file);
  }
  // Empty members of archives are usual; an empty input is a problem.
  if (member.empty && !file.is_container() && !file.parent)
    file.problems.push_back({ErrorCode::BadInput, std::string(kEmptyFile)});
  return file;
}

uint32_t depth_of(uint32_t row, const std::vector<TraceFile>& files) {
  uint32_t depth = 0;
  for (; files[row].parent; row = *files[row].parent) ++depth;
  return depth;
}

ArchiveRank rank_of(const TraceFile& file) {
  if (file.is_manifest) return ArchiveRank::Manifest;
  if (file.container == ContainerKind::Ctrace) return ArchiveRank::Usual;
  if (file.is_container()) return ArchiveRank::Container;
  return file.format != nullptr ? file.format->rank : ArchiveRank::Usual;
}

}  // namespace

std::string_view TraceFile::trace_type() const {
  if (is_container()) return name_of(container);
  if (is_manifest) return "perfetto_manifest";
  return format != nullptr ? format->name : "unknown";
}

std::vector<TraceFile> recognise(std::vector<Member> members) {
  std::vector<TraceFile> files;
  files.reserve(members.size());
  for (Member& member : members) files.push_back(recognise_member(std::move(member)));
  return files;
}

Result<> add_embedded(uint32_t parent, Embedded embedded, const ContainerOptions& options,
                      Progress& progress, std::vector<TraceFile>& files) {
  // A file can unpack to a file with the same bytes embedded, without end.
  if (depth_of(parent, files) >= options.limits.max_depth) {
    files[parent].problems.push_back(
        {ErrorCode::Limit,
         fmt::format("files are nested more than {} deep; if that is expected, raise --max-depth",
                     options.limits.max_depth)});
    return {};
  }
  const auto bytes = std::make_shared<const std::string>(std::move(embedded.bytes));
  TB_TRY_ASSIGN(std::vector<Member> members, open_bytes(files[parent].path + "/" + embedded.name,
                                                        *bytes, bytes, options, progress));
  members.front().name = std::move(embedded.name);
  const auto first = static_cast<uint32_t>(files.size());
  for (Member& member : members) {
    member.parent = member.parent ? first + *member.parent : parent;
    files.push_back(recognise_member(std::move(member)));
  }
  return {};
}

std::vector<uint32_t> reading_order(std::vector<TraceFile>& files) {
  std::vector<uint32_t> roots;
  std::vector<std::vector<uint32_t>> children(files.size());
  for (uint32_t row = 0; row < files.size(); ++row)
    (files[row].parent ? children[*files[row].parent] : roots).push_back(row);

  const auto sort = [&](std::vector<uint32_t>& rows) {
    const auto key = [&](uint32_t row) {
      const TraceFile& file = files[row];
      return std::tuple(file.reading_rank.value_or(UINT32_MAX), rank_of(file),
                        file.name ? std::string_view(*file.name) : "", row);
    };
    std::ranges::sort(rows, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  };

  // Uses an explicit stack: the nesting of archives is limited, but embedded files may chain.
  std::vector<uint32_t> order;
  sort(roots);
  std::vector<uint32_t> stack(roots.rbegin(), roots.rend());
  while (!stack.empty()) {
    const uint32_t row = stack.back();
    stack.pop_back();
    const bool is_read = files[row].is_container() || files[row].open != nullptr;
    if (is_read) files[row].processing_order = static_cast<uint32_t>(order.size());
    if (is_read) order.push_back(row);
    sort(children[row]);
    stack.insert(stack.end(), children[row].rbegin(), children[row].rend());
  }
  return order;
}

}  // namespace tracebraid
