#include "braid/braid.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <vector>

#include "base/file_bytes.h"
#include "base/mapped_file.h"
#include "base/workers.h"
#include "braid/braid_clocks.h"

namespace tracebraid {
namespace {

constexpr char kMagic[8] = {'t', 'b', 'r', 'a', 'i', 'd', '\r', '\n'};
constexpr uint16_t kVersion = 7;

struct Header {
  char magic[8];
  uint16_t version;
  uint16_t extras;  // parts of extras, and their list; 0 without extras
  uint32_t parts;
  uint64_t schema;
  ContentKey key;
  uint64_t directory_at;
  uint64_t directory_checksum;
  uint64_t file_bytes;
  uint64_t checksum;  // of the bytes before it
};
static_assert(sizeof(Header) == kPartAlign);

struct Part {
  uint64_t at, size, checksum;
};

uint64_t checksum_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }
uint64_t checksum_of(const Header& header) {
  return checksum_of({reinterpret_cast<const char*>(&header), offsetof(Header, checksum)});
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

bool is_cancelled(const Progress* progress) { return progress != nullptr && progress->cancelled(); }

// Writes parts one after another, and records their positions.
class PartFile final : public PartSink {
 public:
  PartFile(NewFile& file, Progress& progress) : file_(file), progress_(progress) {
    XXH3_64bits_reset(&checksum_);
  }

  Result<> append(std::string_view bytes) override {
    XXH3_64bits_update(&checksum_, bytes.data(), bytes.size());
    progress_.advance(bytes.size());
    at_ += bytes.size();
    if (buffer_.size() + bytes.size() <= kWriteBytes) {
      buffer_ += bytes;
      return {};
    }
    TB_TRY(flush());
    if (bytes.size() < kWriteBytes) {
      buffer_ += bytes;
      return {};
    }
    // A column may have gigabytes.
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kWriteBytes, bytes.size()))) {
      TB_TRY(check_cancelled());
      TB_TRY(file_.write(bytes.substr(0, kWriteBytes)));
    }
    return {};
  }
  void end_part() override {
    parts_.push_back({begin_, at_ - begin_, XXH3_64bits_digest(&checksum_)});
    XXH3_64bits_reset(&checksum_);
    const size_t pad = (kPartAlign - at_ % kPartAlign) % kPartAlign;
    buffer_.append(pad, '\0');
    at_ += pad;
    begin_ = at_;
  }
  Result<> flush() {
    TB_TRY(check_cancelled());
    TB_TRY(file_.write(buffer_));
    buffer_.clear();
    return {};
  }
  uint64_t at() const { return at_; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  static constexpr size_t kWriteBytes = size_t{1} << 20;

  Result<> check_cancelled() const {
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    return {};
  }

  NewFile& file_;
  Progress& progress_;
  XXH3_state_t checksum_;
  std::string buffer_;
  uint64_t at_ = 0, begin_ = 0;
  std::vector<Part> parts_;
};

// Encodes numbers and texts, one after another.
class TextPart {
 public:
  void number(uint64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class TextPartReader {
 public:
  explicit TextPartReader(std::string_view bytes) : left_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    if (left_.size() < sizeof value) {
      ok_ = false;
      left_ = {};
      return 0;
    }
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const uint64_t size = number();
    if (size > left_.size()) ok_ = false;
    const std::string value(left_.substr(0, ok_ ? size : 0));
    left_.remove_prefix(value.size());
    return value;
  }
  bool at_end() const { return left_.empty(); }
  bool ok() const { return ok_; }

 private:
  std::string_view left_;
  bool ok_ = true;
};

std::string stored_problems(const Merged& merged) {
  TextPart part;
  part.number(merged.problems.size());
  for (const Problem& problem : merged.problems) {
    part.text(problem.path);
    part.number(static_cast<uint64_t>(problem.error.code));
    part.text(problem.error.message);
  }
  for (const NotImportedOfFile& left_out : merged.not_imported) {
    part.number(left_out.file);
    part.text(left_out.what);
    part.number(left_out.count);
    part.number(left_out.bytes);
  }
  return part.bytes();
}

// Each problem has its level and whether it is a void statement.
std::string stored_levels(std::span<const Problem> problems) {
  std::string bytes;
  for (const Problem& problem : problems) {
    bytes.push_back(static_cast<char>(problem.level));
    bytes.push_back(static_cast<char>(problem.is_void_statement));
  }
  return bytes;
}

bool read_levels(std::string_view bytes, std::span<Problem> problems) {
  if (bytes.size() != 2 * problems.size()) return false;
  for (size_t i = 0; i < problems.size(); ++i) {
    const auto level = static_cast<uint8_t>(bytes[2 * i]);
    if (level > static_cast<uint8_t>(StatLevel::Figure)) return false;
    problems[i].level = static_cast<StatLevel>(level);
    problems[i].is_void_statement = bytes[2 * i + 1] != 0;
  }
  return true;
}

bool read_problems(std::string_view bytes, Merged& merged) {
  TextPartReader part(bytes);
  const uint64_t problems = part.number();
  for (uint64_t i = 0; i < problems && part.ok(); ++i) {
    Problem problem{part.text(), {ErrorCode::BadInput, {}}};
    const uint64_t code = part.number();
    if (code == 0 || code > static_cast<uint64_t>(ErrorCode::Internal)) return false;
    problem.error.code = static_cast<ErrorCode>(code);
    problem.error.message = part.text();
    merged.problems.push_back(std::move(problem));
  }
  while (part.ok() && !part.at_end()) {
    NotImportedOfFile left_out;
    left_out.file = static_cast<uint32_t>(part.number());
    left_out.what = part.text();
    left_out.count = part.number();
    left_out.bytes = part.number();
    if (left_out.file >= merged.store->files.rows()) return false;
    merged.not_imported.push_back(std::move(left_out));
  }
  return part.ok();
}

tl::unexpected<Error> unusable(const std::string& path, std::string_view why,
                               ErrorCode code = ErrorCode::BadInput) {
  return fail(code,
              fmt::format("{}: {}; write it again with 'tracebraid export --to braid'", path, why));
}

Result<Header> header_of(std::string_view bytes, const std::string& path) {
  Header header{};
  if (!is_braid(bytes)) return unusable(path, "no braid file");
  if (bytes.size() < sizeof header) return unusable(path, "the braid file is cut off");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kVersion)
    return unusable(path, "the braid file is of another version of the program",
                    ErrorCode::Unsupported);
  if (header.checksum != checksum_of(header)) return unusable(path, "the braid file is damaged");
  if (header.schema != schema_key())
    return unusable(path, "the braid file has tables of another version of the program",
                    ErrorCode::Unsupported);
  return header;
}

Result<std::vector<Part>> directory_of(const Header& header, std::string_view bytes,
                                       const std::string& path) {
  const uint64_t size = uint64_t{header.parts} * sizeof(Part);
  if (header.file_bytes != bytes.size()) return unusable(path, "the braid file is cut off");
  if (header.directory_at > bytes.size() || bytes.size() - header.directory_at != size)
    return unusable(path, "the braid file is damaged");
  const std::string_view stored = bytes.substr(header.directory_at);
  std::vector<Part> parts(header.parts);
  if (size != 0) std::memcpy(parts.data(), stored.data(), size);
  bool fits = checksum_of(stored) == header.directory_checksum;
  for (const Part& part : parts)
    fits &=
        part.at % kPartAlign == 0 && part.at <= bytes.size() && part.size <= bytes.size() - part.at;
  if (!fits) return unusable(path, "the braid file is damaged");
  return parts;
}

// The largest number of extras and of their parts.
constexpr size_t kMostExtraParts = std::numeric_limits<uint16_t>::max() - 1;

// Writes the parts of all extras, then their list: name, version and number of parts of each.
// Returns the number of parts written.
Result<uint16_t> write_extras(std::span<const BraidExtra> extras, PartFile& parts) {
  if (extras.empty()) return uint16_t{0};
  const size_t first = parts.parts().size();
  TextPart list;
  for (const BraidExtra& extra : extras) {
    const size_t begin = parts.parts().size();
    TB_TRY(extra.write(parts));
    list.text(extra.name);
    list.number(extra.version);
    list.number(parts.parts().size() - begin);
  }
  TB_TRY(parts.append(list.bytes()));
  parts.end_part();
  const size_t count = parts.parts().size() - first;
  if (count > kMostExtraParts) return fail(ErrorCode::Internal, "a braid with too many parts");
  return static_cast<uint16_t>(count);
}

// Returns nothing if the list of the extras, which is the last part, is damaged.
std::optional<std::vector<Braid::ExtraParts>> read_extras(
    std::span<const std::string_view> parts, const std::function<bool(size_t)>& is_whole) {
  std::vector<Braid::ExtraParts> extras;
  size_t at = 0;
  const size_t list = parts.size() - 1;
  if (!is_whole(list)) return std::nullopt;
  TextPartReader reader(parts[list]);
  while (!reader.at_end()) {
    Braid::ExtraParts extra{.name = reader.text(),
                            .version = static_cast<uint32_t>(reader.number())};
    const uint64_t count = reader.number();
    if (!reader.ok() || count > list - at) return std::nullopt;
    const auto own = parts.subspan(at, count);
    extra.stored = {{own.begin(), own.end()},
                    [is_whole, at](size_t part) { return is_whole(at + part); }};
    extras.push_back(std::move(extra));
    at += count;
  }
  return extras;
}

// The number of parts after those of the tables: problems, clocks, and levels of problems.
constexpr size_t kOtherParts = 3;
// A table with no more bytes is small; verifying a larger one on several threads is worthwhile.
constexpr size_t kSmallBytes = size_t{256} << 10;

}  // namespace

BraidTables::BraidTables(std::string path, std::vector<TableImage> tables,
                         std::function<uint64_t(size_t)> size_of,
                         std::function<bool(size_t)> is_whole, unsigned threads)
    : path_(std::move(path)),
      tables_(std::move(tables)),
      is_whole_(std::move(is_whole)),
      states_(tables_.size()),
      threads_(threads) {
  for (const TableImage& table : tables_) {
    uint64_t& bytes = bytes_.emplace_back();
    for (size_t part = table.begin; part < table.end; ++part) bytes += size_of(part);
  }
}

Result<> BraidTables::verify(std::string_view table) {
  if (table == ArgsTable::kFullName) table = ArgsTable::kName;  // both are in one part
  const auto found = std::ranges::find(tables_, table, &TableImage::table);
  if (found == tables_.end()) return {};
  const auto number = static_cast<size_t>(found - tables_.begin());
  return verify(std::span(&number, 1));
}

Result<> BraidTables::verify_all(const Progress* progress) {
  std::vector<size_t> all(tables_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return verify(all, progress);
}

Result<> BraidTables::verify_small() {
  std::vector<size_t> small;
  for (size_t i = 0; i < tables_.size(); ++i)
    if (bytes_[i] <= kSmallBytes) small.push_back(i);
  return verify(small);
}

std::optional<Error> BraidTables::damage() const {
  const std::lock_guard lock(damage_mutex_);
  return damage_;
}

std::vector<size_t> BraidTables::claim(std::span<const size_t> tables) {
  const std::lock_guard lock(states_mutex_);
  std::vector<size_t> claimed;
  claimed.reserve(tables.size());
  for (const size_t table : tables)
    if (states_[table] == State::Unseen) {
      claimed.push_back(table);
      states_[table] = State::Verifying;
    }
  return claimed;
}

void BraidTables::settle(std::span<const size_t> claimed, State state) {
  {
    const std::lock_guard lock(states_mutex_);
    for (const size_t table : claimed) states_[table] = state;
  }
  is_settled_.notify_all();
}

// A thread first verifies the tables that it claimed and then waits for tables of other threads, so
// that no two threads wait for each other.
Result<> BraidTables::verify(std::span<const size_t> tables, const Progress* progress) {
  if (std::ranges::any_of(tables, [&](size_t table) { return states_[table] == State::Unseen; })) {
    const std::vector<size_t> claimed = claim(tables);
    try {
      settle(claimed, state_of(claimed, progress));
    } catch (...) {
      settle(claimed, State::Unseen);
      throw;
    }
  }
  {
    std::unique_lock lock(states_mutex_);
    is_settled_.wait(lock, [&] {
      return std::ranges::none_of(tables,
                                  [&](size_t table) { return states_[table] == State::Verifying; });
    });
  }
  for (const size_t table : tables) {
    // The other thread ran out of memory.
    if (states_[table] == State::Unseen) {
      if (is_cancelled(progress)) return fail(ErrorCode::Cancelled, "interrupted");
      return verify(tables, progress);  // another thread had no memory, or was cancelled
    }
    if (states_[table] != State::Damaged) continue;
    const std::lock_guard lock(damage_mutex_);
    if (!damage_) damage_ = unusable(path_, "the braid file is damaged").value();
    return tl::unexpected(*damage_);
  }
  return {};
}

BraidTables::State BraidTables::state_of(std::span<const size_t> tables,
                                         const Progress* progress) const {
  std::vector<size_t> parts;
  std::vector<const std::function<bool()>*> checks;
  uint64_t bytes = 0;
  for (const size_t table : tables) {
    bytes += bytes_[table];
    for (size_t part = tables_[table].begin; part < tables_[table].end; ++part)
      parts.push_back(part);
    for (const auto& check : tables_[table].checks) checks.push_back(&check);
  }
  std::atomic<bool> is_fine = true;
  Workers workers(bytes <= kSmallBytes ? 1 : threads_);
  std::atomic<bool> is_stopped = false;
  const auto goes_on = [&] {
    if (is_cancelled(progress)) is_stopped = true;
    return is_fine && !is_stopped;
  };
  workers.run(parts.size(), [&](size_t i) {
    if (goes_on() && !is_whole_(parts[i])) is_fine = false;
  });
  if (is_fine)
    workers.run(checks.size(), [&](size_t i) {
      if (goes_on() && !(*checks[i])()) is_fine = false;
    });
  if (!is_fine) return State::Damaged;
  return is_stopped ? State::Unseen : State::Fine;
}

bool is_braid(std::string_view head) {
  return head.substr(0, sizeof kMagic) == std::string_view(kMagic, sizeof kMagic);
}

bool is_braid_file(const std::string& path) {
  // A file that is not regular cannot be read twice.
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  const std::optional<std::string> head = read_head(path, sizeof kMagic);
  return head && is_braid(*head);
}

Result<uint64_t> write_braid(const Merged& merged, ContentKey key, NewFile& file,
                             Progress& progress, std::span<const BraidExtra> extras) {
  PartFile parts(file, progress);
  // Reserves the place of the header, which is written last.
  TB_TRY(parts.append(std::string(sizeof(Header), '\0')));
  parts.end_part();
  TB_TRY(write_image(*merged.store, parts));
  TB_TRY(parts.append(stored_problems(merged)));
  parts.end_part();
  TB_TRY(parts.append(merged.clocks ? stored_clocks(*merged.clocks) : std::string()));
  parts.end_part();
  TB_TRY(parts.append(stored_levels(merged.problems)));
  parts.end_part();
  TB_TRY_ASSIGN(const uint16_t extra_parts, write_extras(extras, parts));
  const std::vector<Part> directory(parts.parts().begin() + 1, parts.parts().end());
  const uint64_t directory_at = parts.at();
  TB_TRY(parts.append(bytes_of(directory)));
  TB_TRY(parts.flush());
  Header header{.magic = {},
                .version = kVersion,
                .extras = extra_parts,
                .parts = static_cast<uint32_t>(directory.size()),
                .schema = schema_key(),
                .key = key,
                .directory_at = directory_at,
                .directory_checksum = checksum_of(bytes_of(directory)),
                .file_bytes = parts.at(),
                .checksum = 0};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.checksum = checksum_of(header);
  if (::pwrite(file.fd(), &header, sizeof header, 0) != sizeof header)
    return fail(ErrorCode::Io, fmt::format("cannot write {}: a braid must be a file", file.path()));
  return parts.at();
}

Result<Braid> open_braid(const std::string& path, const HostFiles& files, unsigned threads,
                         Progress& progress) {
  TB_TRY_ASSIGN(MappedFile mapped, MappedFile::open(path, files));
  const auto owner = std::make_shared<const MappedFile>(std::move(mapped));
  return open_braid(Bytes{owner->bytes(), owner, owner}, path, threads, progress);
}

Result<Braid> open_braid(Bytes from, const std::string& path, unsigned threads,
                         Progress& progress) {
  progress.begin("opening the braid", 0);
  constexpr size_t kAlignment = 64;
  if (reinterpret_cast<uintptr_t>(from.view.data()) % kAlignment != 0) {
    const std::shared_ptr<char> copy(
        static_cast<char*>(::operator new(from.view.size(), std::align_val_t{kAlignment})),
        [](char* at) { ::operator delete(at, std::align_val_t{kAlignment}); });
    std::memcpy(copy.get(), from.view.data(), from.view.size());
    from = Bytes{{copy.get(), from.view.size()}, copy};
  }
  Braid braid;
  braid.bytes = std::move(from);
  const std::string_view bytes = braid.bytes.view;
  TB_TRY_ASSIGN(const Header header, header_of(bytes, path));
  TB_TRY_ASSIGN(std::vector<Part> parts, directory_of(header, bytes, path));
  if (parts.size() < kOtherParts + header.extras)
    return unusable(path, "the braid file is damaged");
  std::vector<std::string_view> views;
  for (const Part& part : parts) views.push_back(bytes.substr(part.at, part.size));
  const auto is_whole = [views, parts = std::move(parts)](size_t part) {
    return checksum_of(views[part]) == parts[part].checksum;
  };
  braid.key = header.key;
  braid.merged.store = std::make_unique<Store>();
  const std::span<const std::string_view> all =
      std::span<const std::string_view>(views).first(views.size() - header.extras);
  if (header.extras > 0) {
    const std::span<const std::string_view> of_extras =
        std::span<const std::string_view>(views).subspan(all.size());
    const auto is_extra_whole = [is_whole, first = all.size()](size_t part) {
      return is_whole(first + part);
    };
    std::optional<std::vector<Braid::ExtraParts>> extras = read_extras(of_extras, is_extra_whole);
    braid.are_extras_damaged = !extras;
    if (extras) braid.extras = *std::move(extras);
  }
  Result<std::vector<TableImage>> tables =
      view_image(all.first(all.size() - kOtherParts), *braid.merged.store,
                 [&](size_t part) { return !progress.cancelled() && is_whole(part); });
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  if (!tables) return unusable(path, "the braid file is " + tables.error().message);
  braid.tables = std::make_shared<BraidTables>(
      path, *std::move(tables), [views](size_t part) { return views[part].size(); }, is_whole,
      threads);
  TB_TRY(braid.tables->verify_small());
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  const size_t problems = all.size() - kOtherParts, clocks = problems + 1, levels = problems + 2;
  if (!is_whole(problems) || !is_whole(clocks) || !is_whole(levels) ||
      !read_problems(all[problems], braid.merged) ||
      !read_levels(all[levels], braid.merged.problems))
    return unusable(path, "the braid file is damaged");
  braid.merged.clocks = clocks_from(all[clocks], *braid.merged.store);
  if (braid.merged.clocks == nullptr && !all[clocks].empty())
    return unusable(path, "the braid file is damaged: its clocks are invalid");
  return braid;
}

std::optional<StoredExtra> Braid::extra(std::string_view name, uint32_t version) const {
  for (const ExtraParts& each : extras)
    if (each.name == name && each.version == version) return each.stored;
  return std::nullopt;
}

std::optional<ContentKey> braid_key(const std::string& path) {
  const std::optional<std::string> head = read_head(path, sizeof(Header));
  if (!head) return std::nullopt;
  const Result<Header> header = header_of(*head, path);
  return header ? std::optional(header->key) : std::nullopt;
}

}  // namespace tracebraid
