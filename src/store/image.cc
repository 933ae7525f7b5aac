#include "store/image.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "store/all_tables.h"
#include "store/arg_bytes.h"

namespace tracebraid {
namespace {

constexpr std::string_view kArgsName = "__intrinsic_args";
constexpr size_t kBlockRows = PackedInts::kBlockRows;
constexpr size_t kSlack = PackedInts::kSlack;

struct StoredBlock {
  uint64_t at;  // of the part with the values of all blocks
  uint64_t base, slope;
  uint16_t width, has_nulls;
  uint32_t rows;
};

struct StoredBounds {
  int64_t trace_start, trace_end;
  uint32_t timeline_machine, pad = 0;
};

Error broken(std::string_view what) {
  return {ErrorCode::BadInput, "damaged: " + std::string(what)};
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// ---- writing

// What lies between the members of a field is not the same in each run.
std::string bytes_without_gaps(std::span<const ArgField> fields) {
  std::string bytes(fields.size_bytes(), '\0');
  char* at = bytes.data();
  for (const ArgField& field : fields) {
    std::memcpy(at + offsetof(ArgField, key), &field.key, sizeof field.key);
    std::memcpy(at + offsetof(ArgField, at), &field.at, sizeof field.at);
    std::memcpy(at + offsetof(ArgField, type), &field.type, sizeof field.type);
    std::memcpy(at + offsetof(ArgField, bytes), &field.bytes, sizeof field.bytes);
    at += sizeof field;
  }
  return bytes;
}

class Writer {
 public:
  explicit Writer(PartSink& parts) : parts_(parts) {}

  Result<> done() const { return failed_; }

  template <class T>
  void values(std::span<const T> all) {
    part(bytes_of(all));
  }
  void append(std::string_view bytes) {
    if (failed_) failed_ = parts_.append(bytes);
  }
  void end() { parts_.end_part(); }
  void part(std::string_view bytes) {
    append(bytes);
    end();
  }

  template <class T>
  void column(const Column<T>& column) {
    values(column.values());
  }
  template <class T>
  void column(const PackedColumn<T>& column) {
    ints(column.ints());
  }
  void column(const SparseColumn& column) {
    values(column.rows());
    values(column.values());
  }

  // Blocks lie behind each other; what may be read behind one is the next one.
  void ints(const PackedInts& ints) {
    std::vector<StoredBlock> blocks;
    uint64_t at = 0;
    for (size_t i = 0; i < ints.blocks(); ++i) {
      const PackedInts::BlockView block = ints.block(i);
      const size_t rows = std::min(kBlockRows, ints.size() - i * kBlockRows);
      blocks.push_back({at, block.base, block.slope, static_cast<uint16_t>(block.width),
                        block.has_nulls, static_cast<uint32_t>(rows)});
      at += PackedInts::packed_bytes(rows, block.width);
    }
    values(std::span<const StoredBlock>(blocks));
    for (size_t i = 0; i < blocks.size(); ++i)
      append({ints.block(i).bytes, PackedInts::packed_bytes(blocks[i].rows, blocks[i].width)});
    part(std::string_view(kNoBytes, kSlack));
  }

 private:
  static constexpr char kNoBytes[kSlack] = {};
  PartSink& parts_;
  Result<> failed_;
};

// ---- reading

// Values are read when the rows are; what says where they lie is read here.
enum class Read : uint8_t { Here, Later };

class Reader {
 public:
  Reader(std::span<const std::string_view> parts, const std::function<bool(size_t)>& is_whole)
      : parts_(parts), is_whole_(is_whole) {}

  bool ok() const { return ok_; }
  bool is_at_end() const { return next_ == parts_.size(); }
  size_t next() const { return next_; }
  void fail() { ok_ = false; }

  std::string_view part(Read when) {
    ok_ = ok_ && next_ < parts_.size() && (when == Read::Later || is_whole_(next_));
    return ok_ ? parts_[next_++] : std::string_view();
  }
  template <class T>
  std::span<const T> values(Read when) {
    const std::string_view bytes = part(when);
    const bool fits = bytes.size() % sizeof(T) == 0 &&
                      reinterpret_cast<uintptr_t>(bytes.data()) % alignof(T) == 0;
    ok_ &= fits;
    if (!fits) return {};
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  template <class T>
  void column(Column<T>& column) {
    column.view(values<T>(Read::Later));
  }
  template <class T>
  void column(PackedColumn<T>& column) {
    ints(column.ints());
  }
  void column(SparseColumn& column) {
    const auto rows = values<uint32_t>(Read::Later);
    const auto numbers = values<int64_t>(Read::Later);
    ok_ &= rows.size() == numbers.size();
    column.view(rows, numbers);
  }

  void ints(PackedInts& ints) {
    const auto blocks = values<StoredBlock>(Read::Here);
    const std::string_view bytes = part(Read::Later);
    ok_ &= bytes.size() >= kSlack;
    for (size_t i = 0; i < blocks.size() && ok_; ++i) {
      const StoredBlock& block = blocks[i];
      const bool is_last = i + 1 == blocks.size();
      ok_ &= PackedInts::is_width(block.width) && block.rows <= kBlockRows && block.rows != 0 &&
             (is_last || block.rows == kBlockRows) && block.at <= bytes.size() &&
             bytes.size() - block.at >= PackedInts::packed_bytes(block.rows, block.width) + kSlack;
      if (ok_)
        ints.append_view(
            {bytes.data() + block.at, block.base, block.slope, block.width, block.has_nulls != 0},
            block.rows);
    }
  }

 private:
  std::span<const std::string_view> parts_;
  const std::function<bool(size_t)>& is_whole_;
  size_t next_ = 0;
  bool ok_ = true;
};

using Checks = std::vector<std::function<bool()>>;

// Rows of the table that a column of this name refers to; none if it is no reference that code
// follows without looking.
std::optional<size_t> rows_referred_to(std::string_view column, size_t own_rows,
                                       const Store& store) {
  struct Limit {
    std::string_view column;
    size_t rows;
  };
  const Limit limits[] = {{"machine_id", store.machines.rows()},
                          {"utid", store.threads.rows()},
                          {"waker_utid", store.threads.rows()},
                          {"begin_utid", store.threads.rows()},
                          {"end_utid", store.threads.rows()},
                          {"upid", store.processes.rows()},
                          {"parent_upid", store.processes.rows()},
                          {"group_upid", store.processes.rows()},
                          {"track_id", store.tracks.rows()},
                          {"slice_id", store.slices.rows()},
                          {"slice_out", store.slices.rows()},
                          {"slice_in", store.slices.rows()},
                          {"waker_id", store.thread_states.rows()},
                          {"thread_state_id", store.thread_states.rows()},
                          {"ucpu", std::max(store.cpus.rows(), store.machines.rows() * 4096)},
                          {"callsite_id", store.stack_callsites.rows()},
                          {"frame_id", store.stack_frames.rows()},
                          {"mapping", store.stack_mappings.rows()},
                          {"from_clock", store.clocks.rows()},
                          {"to_clock", store.clocks.rows()},
                          {"clock_a", store.clocks.rows()},
                          {"clock_b", store.clocks.rows()},
                          {"next_clock", store.clocks.rows()},
                          {"trace_file_id", store.files.rows()},
                          {"from_trace_id", store.files.rows()},
                          {"to_trace_id", store.files.rows()},
                          {"trace_id", store.files.rows()},
                          {"instance_id", store.json.instances.rows()},
                          {"parent_id", own_rows}};
  const auto* found = std::ranges::find(limits, column, &Limit::column);
  if (found == std::end(limits)) return std::nullopt;
  return found->rows;
}

template <class T>
bool is_below(T value, size_t limit) {
  if constexpr (std::is_same_v<T, StringId>)
    return value.row < limit || !value;
  else if constexpr (std::is_same_v<T, OptRow>)
    return value.row < limit || value.row == OptRow::kNull;
  else
    return value < limit;
}

template <class T>
bool are_below(const Column<T>& column, size_t limit) {
  return std::ranges::all_of(column.values(), [limit](T value) { return is_below(value, limit); });
}

// Most blocks are told by their bounds, which takes no look at their rows.
template <class T>
bool are_below(const PackedColumn<T>& column, size_t limit) {
  constexpr int64_t kLeast = std::is_same_v<T, uint32_t> ? 0 : -1;  // NULL
  constexpr uint64_t kSteep = uint64_t{1} << 50;  // where the line of a block could overflow
  const PackedInts& ints = column.ints();
  for (size_t block = 0; block < ints.blocks(); ++block) {
    const PackedInts::BlockView& bounds = ints.block(block);
    if (static_cast<int64_t>(bounds.base) >= kLeast && bounds.slope < kSteep &&
        (kLeast < 0 || !bounds.has_nulls) && ints.none_above(block) < static_cast<int64_t>(limit))
      continue;
    const size_t end = std::min(column.size(), (block + 1) * PackedInts::kBlockRows);
    for (size_t row = block * PackedInts::kBlockRows; row < end; ++row)
      if (!is_below(column[row], limit)) return false;
  }
  return true;
}

template <class AnyColumn>
void check_rows(const AnyColumn& column, size_t limit, Checks& checks) {
  checks.push_back([&column, limit] { return are_below(column, limit); });
}

class Checker {
 public:
  Checker(const Store& store, size_t own_rows, bool is_of_files, Checks& checks)
      : store_(store), own_rows_(own_rows), has_files_(is_of_files), checks_(checks) {}

  template <class T>
  void column(std::string_view name, const Column<T>& column) {
    add<T>(name, column);
  }
  template <class T>
  void column(std::string_view name, const PackedColumn<T>& column) {
    add<T>(name, column);
  }
  void column(std::string_view, const SparseColumn& column) {
    checks_.push_back([rows = column.rows(), limit = own_rows_] {
      return std::ranges::is_sorted(rows) && (rows.empty() || rows.back() < limit);
    });
  }
  bool ok() const { return ok_; }

 private:
  template <class T, class AnyColumn>
  void add(std::string_view name, const AnyColumn& column) {
    ok_ &= column.size() == own_rows_;
    if constexpr (std::is_same_v<T, StringId>) {
      check_rows(column, store_.strings.size(), checks_);
    } else if constexpr (std::is_same_v<T, OptRow> || std::is_same_v<T, uint32_t>) {
      const auto limit = rows_referred_to(name, own_rows_, store_);
      if (limit && (has_files_ || name != "trace_id")) check_rows(column, *limit, checks_);
    }
  }

  const Store& store_;
  size_t own_rows_;
  bool has_files_;
  Checks& checks_;
  bool ok_ = true;
};

}  // namespace

// The strings: their bytes with lengths, where each begins, and the table by which they are found.
struct StringsImage {
  static void write(const StringPool& pool, Writer& out) {
    std::vector<uint64_t> starts;
    uint64_t at = 0;
    for (uint32_t row = 0; row < pool.size(); ++row) {
      starts.push_back(at);
      at += sizeof(uint32_t) + pool.get({row}).size();
    }
    out.values(std::span<const uint64_t>(starts));
    // The length of each lies before it in the pool, too.
    for (uint32_t row = 0; row < pool.size(); ++row)
      out.append({pool.entries_[row], sizeof(uint32_t) + pool.get({row}).size()});
    out.end();
    out.values(std::span<const StringPool::Slot>(pool.slots_));
  }

  static void view(Reader& in, StringPool& pool) {
    const auto starts = in.values<uint64_t>(Read::Here);
    const std::string_view bytes = in.part(Read::Here);
    const auto slots = in.values<StringPool::Slot>(Read::Here);
    if (!in.ok() || !are_sound(starts, bytes, slots)) return in.fail();
    pool.entries_.reserve(starts.size());
    for (const uint64_t start : starts) pool.entries_.push_back(bytes.data() + start);
    pool.slots_.assign(slots.begin(), slots.end());
  }

 private:
  static bool are_sound(std::span<const uint64_t> starts, std::string_view bytes,
                        std::span<const StringPool::Slot> slots) {
    for (const uint64_t start : starts) {
      uint32_t size = 0;
      if (start > bytes.size() || bytes.size() - start < sizeof size) return false;
      std::memcpy(&size, bytes.data() + start, sizeof size);
      if (bytes.size() - start - sizeof size < size) return false;
    }
    // Some must be free: a search ends there.
    size_t used = 0;
    for (const StringPool::Slot& slot : slots) {
      if (slot.row == StringId::kNone) continue;
      if (slot.row >= starts.size()) return false;
      ++used;
    }
    const bool is_power = (slots.size() & (slots.size() - 1)) == 0;
    return is_power && used == starts.size() && (slots.empty() || used < slots.size());
  }
};

struct ArgsImage {
  static constexpr size_t kSizeOfShape = sizeof(ArgsTable::Shape);

  static void write(const ArgsTable& args, Writer& out) {
    out.values(std::span<const ArgKey>(args.keys));
    out.part(bytes_without_gaps(args.fields_));
    out.values(std::span<const ArgsTable::Shape>(args.shapes_));
    out.ints(args.shapes_of_sets_);
    out.ints(args.places_);
    out.ints(args.first_rows_);
    // Where the records of a set begin says how much of its chunk is used.
    std::vector<uint64_t> sizes(args.chunks_.size());
    for (uint32_t set = 0; set < args.sets(); ++set) {
      const auto place = static_cast<uint64_t>(args.places_[set]);
      const ArgsTable::Shape& shape = shape_of(args, set);
      if (shape.parted != kNone) continue;
      uint64_t& size = sizes[place >> kChunkBits];
      size = std::max<uint64_t>(size, (place & (kChunkBytes - 1)) + shape.bytes);
    }
    std::vector<uint64_t> starts{0};
    for (const uint64_t size : sizes) starts.push_back(starts.back() + size);
    out.values(std::span<const uint64_t>(starts));
    for (size_t i = 0; i < sizes.size(); ++i) out.append({args.chunks_[i].get(), sizes[i]});
    out.end();
    write_parts(args, out);
  }

  static void view(Reader& in, ArgsTable& args, Checks& checks, const StringPool& strings) {
    const auto keys = in.values<ArgKey>(Read::Here);
    const auto fields = in.values<ArgsTable::Field>(Read::Here);
    const auto shapes = in.values<ArgsTable::Shape>(Read::Here);
    in.ints(args.shapes_of_sets_);
    in.ints(args.places_);
    in.ints(args.first_rows_);
    const auto starts = in.values<uint64_t>(Read::Here);
    const std::string_view bytes = in.part(Read::Later);
    if (!in.ok() || starts.empty() || !std::ranges::is_sorted(starts) ||
        starts.back() > bytes.size())
      return in.fail();
    args.keys.assign(keys.begin(), keys.end());
    args.fields_.assign(fields.begin(), fields.end());
    args.shapes_.assign(shapes.begin(), shapes.end());
    for (size_t i = 0; i + 1 < starts.size(); ++i)
      args.chunks_.push_back(view_bytes(bytes.data() + starts[i]));
    view_parts(in, args);
    const size_t sets = args.sets();
    if (!in.ok() || !are_shapes_sound(args) || args.places_.size() != sets ||
        args.first_rows_.size() != sets || !count_rows(args))
      return in.fail();
    static constexpr uint32_t kSetsOfCheck = 1 << 18;
    for (uint32_t first = 0; first < sets; first += kSetsOfCheck)
      checks.push_back([&args, &strings, starts, first] {
        const uint32_t end = std::min(args.sets() - first, kSetsOfCheck) + first;
        return SetsCheck(args, starts, strings).are_sound(first, end);
      });
    add_part_checks(args, strings, checks);
  }

 private:
  static bool is_text(ArgType type) { return type == ArgType::String || type == ArgType::Json; }
  static bool is_string(int64_t value, const StringPool& strings) {
    return static_cast<uint64_t>(value) < strings.size() ||
           static_cast<uint32_t>(value) == StringId::kNone;
  }

  // Of all: width, number of parts ... Each layout: its shape and the combinations of its parts.
  static void write_parts(const ArgsTable& args, Writer& out) {
    std::vector<uint32_t> counts{static_cast<uint32_t>(args.combinations_.size()),
                                 static_cast<uint32_t>(args.parted_layouts_.size())};
    for (const auto& of : args.combinations_) counts.push_back(of.width);
    for (const auto& layout : args.parted_layouts_) {
      counts.push_back(layout.shape);
      counts.push_back(static_cast<uint32_t>(layout.parts.size()));
      for (const auto& part : layout.parts) counts.push_back(part.combinations);
    }
    out.values(std::span<const uint32_t>(counts));
    for (const auto& of : args.combinations_) out.column(of.values);
    for (const auto& layout : args.parted_layouts_)
      for (const auto& part : layout.parts) out.ints(part.numbers);
  }

  static void view_parts(Reader& in, ArgsTable& args) {
    const auto counts = in.values<uint32_t>(Read::Here);
    size_t at = 0;
    const auto next = [&]() -> uint32_t {
      if (at < counts.size()) return counts[at++];
      in.fail();
      return 0;
    };
    const uint32_t combinations = next(), layouts = next();
    for (uint32_t i = 0; i < combinations && in.ok(); ++i)
      args.combinations_.push_back({next(), {}});
    for (uint32_t i = 0; i < layouts && in.ok(); ++i) {
      auto& layout = args.parted_layouts_.emplace_back();
      layout.shape = next();
      const uint32_t parts = next();
      for (uint32_t part = 0; part < parts && in.ok(); ++part) layout.parts.push_back({next(), {}});
    }
    for (auto& of : args.combinations_) of.values.view(in.values<int64_t>(Read::Here));
    for (auto& layout : args.parted_layouts_)
      for (auto& part : layout.parts)
        if (in.ok()) in.ints(part.numbers);
  }

  static std::span<const ArgsTable::Field> fields_of(const ArgsTable& args,
                                                     const ArgsTable::Shape& shape) {
    return std::span(args.fields_).subspan(shape.first, shape.count);
  }
  static uint32_t part_of(const ArgsTable::Field& field) {
    return field.at >> ArgsTable::kPartShift;
  }
  static uint32_t value_of(const ArgsTable::Field& field) {
    return field.at & ((uint32_t{1} << ArgsTable::kPartShift) - 1);
  }
  // Null if the values of the field are in the sets.
  static const ArgsTable::Combinations* combinations_of(const ArgsTable& args,
                                                        const ArgsTable::Shape& shape,
                                                        const ArgsTable::Field& field) {
    if (shape.parted == kNone) return nullptr;
    const uint32_t of = args.parted_layouts_[shape.parted].parts[part_of(field)].combinations;
    return of == ArgPart::kValue ? nullptr : &args.combinations_[of];
  }

  static bool are_parts_sound(const ArgsTable& args) {
    for (const auto& of : args.combinations_)
      if (of.width == 0 || of.values.size() % of.width != 0) return false;
    return std::ranges::all_of(args.parted_layouts_, [&](const auto& layout) {
      return !layout.parts.empty() && std::ranges::all_of(layout.parts, [&](const auto& part) {
        return part.numbers.size() == layout.parts[0].numbers.size() &&
               (part.combinations == ArgPart::kValue ||
                part.combinations < args.combinations_.size());
      });
    });
  }

  // Whether parts name combinations that there are, and fields of type text strings.
  static void add_part_checks(const ArgsTable& args, const StringPool& strings, Checks& checks) {
    for (const auto& layout : args.parted_layouts_)
      for (const auto& part : layout.parts)
        if (part.combinations != ArgPart::kValue)
          checks.push_back([&numbers = part.numbers, &of = args.combinations_[part.combinations]] {
            for (size_t i = 0; i < numbers.size(); ++i)
              if (static_cast<uint64_t>(numbers[i]) >= of.values.size() / of.width) return false;
            return true;
          });
    checks.push_back([&args, &strings] {
      return std::ranges::all_of(args.shapes_, [&](const ArgsTable::Shape& shape) {
        return shape.parted == kNone || are_texts_sound(args, shape, strings);
      });
    });
  }

  static bool are_texts_sound(const ArgsTable& args, const ArgsTable::Shape& shape,
                              const StringPool& strings) {
    for (const ArgsTable::Field& field : fields_of(args, shape)) {
      if (!is_text(field.type)) continue;
      const auto* const of = combinations_of(args, shape, field);
      if (of == nullptr) {
        const PackedInts& numbers =
            args.parted_layouts_[shape.parted].parts[part_of(field)].numbers;
        for (size_t i = 0; i < numbers.size(); ++i)
          if (!is_string(numbers[i], strings)) return false;
        continue;
      }
      for (size_t i = value_of(field); i < of->values.size(); i += of->width)
        if (!is_string(of->values[i], strings)) return false;
    }
    return true;
  }

  static bool is_parted_shape_sound(const ArgsTable& args, const ArgsTable::Shape& shape) {
    if (shape.parted >= args.parted_layouts_.size()) return false;
    const auto& layout = args.parted_layouts_[shape.parted];
    for (const ArgsTable::Field& field : fields_of(args, shape)) {
      if (part_of(field) >= layout.parts.size()) return false;
      const auto* const of = combinations_of(args, shape, field);
      if (value_of(field) >= (of == nullptr ? 1 : of->width)) return false;
    }
    return true;
  }

  static constexpr uint32_t kNone = ArgsTable::kNone;
  static constexpr unsigned kChunkBits = 16;  // as in args_records.cc
  static constexpr size_t kChunkBytes = size_t{1} << kChunkBits;

  static const ArgsTable::Shape& shape_of(const ArgsTable& args, uint32_t set) {
    return args.shapes_[static_cast<uint32_t>(args.shapes_of_sets_[set])];
  }

  static bool are_shapes_sound(const ArgsTable& args) {
    for (const ArgsTable::Field& field : args.fields_)
      if (field.key >= args.keys.size() || field.type > ArgType::Null ||
          (field.bytes != 1 && field.bytes != 2 && field.bytes != 4 && field.bytes != 8))
        return false;
    if (!are_parts_sound(args)) return false;
    for (const ArgsTable::Shape& shape : args.shapes_) {
      if (shape.first > args.fields_.size() || shape.count > args.fields_.size() - shape.first)
        return false;
      if (shape.parted != kNone) {
        if (!is_parted_shape_sound(args, shape)) return false;
        continue;
      }
      for (uint32_t i = shape.first; i < shape.first + shape.count; ++i)
        if (uint64_t{args.fields_[i].at} + args.fields_[i].bytes > shape.bytes) return false;
    }
    return true;
  }

  // By the last set; that the others lie before it is for SetsCheck.
  static bool count_rows(ArgsTable& args) {
    if (args.sets() == 0) return true;
    const uint32_t last = args.sets() - 1;
    const auto shape = static_cast<uint64_t>(args.shapes_of_sets_[last]);
    const auto first = static_cast<uint64_t>(args.first_rows_[last]);
    constexpr uint64_t kMostRows = uint64_t{1} << 48;
    if (shape >= args.shapes_.size() || first > kMostRows) return false;
    args.rows_ = first + args.shapes_[shape].count;
    return true;
  }

  // Whether sets have shapes and records, and their texts are strings.
  class SetsCheck {
   public:
    SetsCheck(const ArgsTable& args, std::span<const uint64_t> starts, const StringPool& strings)
        : args_(args), starts_(starts), strings_(strings), texts_(args.shapes_.size()) {
      for (size_t shape = 0; shape < texts_.size(); ++shape)
        for (const ArgsTable::Field& field : fields_of(args, args.shapes_[shape]))
          if (is_text(field.type) && args.shapes_[shape].parted == kNone)
            texts_[shape].push_back(field);
    }

    bool are_sound(uint32_t first, uint32_t end) const {
      uint64_t row = static_cast<uint64_t>(args_.first_rows_[first]);
      if (first == 0 && row != 0) return false;
      for (uint32_t set = first; set < end; ++set) {
        const auto shape = static_cast<uint64_t>(args_.shapes_of_sets_[set]);
        const auto place = static_cast<uint64_t>(args_.places_[set]);
        if (shape >= args_.shapes_.size() || !is_place_sound(args_.shapes_[shape], place))
          return false;
        row += args_.shapes_[shape].count;
        const bool is_last = set + 1 == args_.sets();
        if (row != (is_last ? args_.rows_ : static_cast<uint64_t>(args_.first_rows_[set + 1])))
          return false;
        if (!texts_[shape].empty() && !are_strings(texts_[shape], args_.values_at(place)))
          return false;
      }
      return true;
    }

   private:
    bool is_place_sound(const ArgsTable::Shape& shape, uint64_t place) const {
      if (shape.parted != kNone)
        return place < args_.parted_layouts_[shape.parted].parts[0].numbers.size();
      const uint64_t chunk = place >> kChunkBits, at = place & (kChunkBytes - 1);
      return chunk + 1 < starts_.size() && at + shape.bytes <= starts_[chunk + 1] - starts_[chunk];
    }

    bool are_strings(std::span<const ArgsTable::Field> fields, const char* record) const {
      return std::ranges::all_of(fields, [&](const ArgsTable::Field& field) {
        return is_string(arg_of(field, record, false).value, strings_);
      });
    }

    const ArgsTable& args_;
    std::span<const uint64_t> starts_;
    const StringPool& strings_;
    std::vector<std::vector<ArgsTable::Field>> texts_;  // by shape
  };
};

uint64_t schema_key() {
  std::string text = std::to_string(sizeof(StoredBlock)) + std::to_string(sizeof(ArgRow)) +
                     std::to_string(ArgsImage::kSizeOfShape);
  for (const TableView& view : Store().views()) {
    text += view.name;
    for (const ColumnView& column : view.columns) {
      text += ' ';
      text += column.name;
      text += static_cast<char>('0' + static_cast<int>(column.type));
      text += column.packed != nullptr ? 'p' : ' ';
    }
    text += '\n';
  }
  return XXH3_64bits(text.data(), text.size());
}

Result<> write_image(const Store& store, PartSink& parts) {
  Writer out(parts);
  const StoredBounds bounds{store.trace_start, store.trace_end, store.timeline_machine};
  out.values(std::span(&bounds, 1));
  StringsImage::write(store.strings, out);
  ArgsImage::write(store.args, out);
  // Visiting is for those who change columns, too; here nothing is changed.
  for_each_table(const_cast<Store&>(store), [&](auto& table) {
    table.for_each_column([&](std::string_view, const auto& column) { out.column(column); });
  });
  return out.done();
}

Result<std::vector<TableImage>> view_image(std::span<const std::string_view> parts, Store& store,
                                           const std::function<bool(size_t)>& is_whole) {
  Reader in(parts, is_whole);
  const auto bounds = in.values<StoredBounds>(Read::Here);
  if (bounds.size() != 1) return tl::unexpected(broken("no bounds"));
  store.trace_start = bounds[0].trace_start;
  store.trace_end = bounds[0].trace_end;
  store.timeline_machine = bounds[0].timeline_machine;
  StringsImage::view(in, store.strings);
  std::vector<TableImage> tables{{kArgsName, in.next(), 0, {}}};
  if (in.ok()) ArgsImage::view(in, store.args, tables[0].checks, store.strings);
  tables[0].end = in.next();
  for_each_table(store, [&](auto& table) {
    const size_t begin = in.next();
    table.for_each_column([&](std::string_view, auto& column) {
      if (in.ok()) in.column(column);
    });
    tables.push_back({table.view().name, begin, in.next(), {}});
  });
  if (!in.ok() || !in.is_at_end()) return tl::unexpected(broken("its parts do not fit together"));
  for (const ArgKey& key : store.args.keys)
    if (!is_below(key.key, store.strings.size()) || !is_below(key.flat_key, store.strings.size()))
      return tl::unexpected(broken("a key of args has no name"));
  if (store.timeline_machine >= store.machines.rows())
    return tl::unexpected(broken("no machine has the timeline"));
  bool ok = true;
  size_t number = 1;
  for_each_table(store, [&](auto& table) {
    // A flow's trace_id is no file.
    const bool has_files = static_cast<void*>(&table) != static_cast<void*>(&store.flows) &&
                           static_cast<void*>(&table) != static_cast<void*>(&store.flow_violations);
    Checker checker(store, table.rows(), has_files, tables[number++].checks);
    table.for_each_column(
        [&](std::string_view name, auto& column) { checker.column(name, column); });
    ok &= checker.ok();
  });
  if (!ok) return tl::unexpected(broken("columns of a table differ in length"));
  return tables;
}

}  // namespace tracebraid
