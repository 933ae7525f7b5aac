#include "tables/image_args.h"

#include <cstring>
#include <limits>
#include <string>

#include "tables/arg_bytes.h"

namespace tracebraid {
namespace {

// Copies fields without the padding between members, which may differ from run to run.
std::string bytes_without_gaps(std::span<const ArgField> fields) {
  std::string bytes(fields.size_bytes(), '\0');
  char* at = bytes.data();
  for (const ArgField& field : fields) {
    std::memcpy(at + offsetof(ArgField, key), &field.key, sizeof field.key);
    std::memcpy(at + offsetof(ArgField, at), &field.at, sizeof field.at);
    std::memcpy(at + offsetof(ArgField, type), &field.type, sizeof field.type);
    std::memcpy(at + offsetof(ArgField, bytes), &field.bytes, sizeof field.bytes);
    std::memcpy(at + offsetof(ArgField, unlisted), &field.unlisted, sizeof field.unlisted);
    at += sizeof field;
  }
  return bytes;
}

}  // namespace

struct ArgsImage {
  static constexpr size_t kSizeOfShape = sizeof(ArgsTable::Shape);

  static void write(const ArgsTable& args, PartWriter& out) {
    out.values(std::span<const ArgKey>(args.keys));
    out.part(bytes_without_gaps(args.fields_));
    out.values(std::span<const ArgsTable::Shape>(args.shapes_));
    out.ints(args.shapes_of_sets_);
    out.ints(args.places_);
    out.values(std::span(&args.rows_, 1));
    out.values(args.starts_.words());
    out.values(args.starts_.before());
    out.ints(args.rowless_sets_);
    out.ints(args.unlisted_sets_);
    out.ints(args.first_leaves_);
    // The start of the records of the last set determines how much of its chunk is used.
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

  static void view(PartReader& in, ArgsTable& args, Checks& checks, const StringPool& strings) {
    const auto keys = in.values<ArgKey>(Read::Here);
    const auto fields = in.values<ArgsTable::Field>(Read::Here);
    const auto shapes = in.values<ArgsTable::Shape>(Read::Here);
    in.ints(args.shapes_of_sets_);
    in.ints(args.places_);
    const auto rows = in.values<size_t>(Read::Here);
    const auto words = in.values<uint64_t>(Read::Later);
    const auto before = in.values<uint32_t>(Read::Later);
    in.ints(args.rowless_sets_);
    in.ints(args.unlisted_sets_);
    in.ints(args.first_leaves_);
    const auto starts = in.values<uint64_t>(Read::Here);
    const std::string_view bytes = in.part(Read::Later);
    if (!in.ok() || starts.empty() || !std::ranges::is_sorted(starts) ||
        starts.back() > bytes.size() || rows.size() != 1 || words.size() != before.size())
      return in.fail();
    args.rows_ = rows[0];
    args.starts_.view(words, before);
    args.keys.assign(keys.begin(), keys.end());
    args.fields_.assign(fields.begin(), fields.end());
    args.shapes_.assign(shapes.begin(), shapes.end());
    for (size_t i = 0; i + 1 < starts.size(); ++i)
      args.chunks_.push_back(view_bytes(bytes.data() + starts[i]));
    view_parts(in, args);
    const size_t sets = args.sets();
    if (!in.ok() || !are_shapes_sound(args) || args.places_.size() != sets ||
        args.rowless_sets_.size() + args.starts_.runs() != sets || (sets == 0 && args.rows_ != 0) ||
        !are_unlisted_sets_sound(args))
      return in.fail();
    checks.push_back([&args] { return args.starts_.are_sound(); });
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

  // Writes the numbers of combinations and layouts, the widths of the combinations, and for each
  // layout its shape and its parts.
  static void write_parts(const ArgsTable& args, PartWriter& out) {
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
    for (const auto& layout : args.parted_layouts_) {
      for (const auto& part : layout.parts) out.ints(part.numbers);
      out.ints(layout.firsts);
    }
  }

  static void view_parts(PartReader& in, ArgsTable& args) {
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
    for (auto& layout : args.parted_layouts_) {
      for (auto& part : layout.parts)
        if (in.ok()) in.ints(part.numbers);
      if (in.ok()) in.ints(layout.firsts);
    }
  }

  static std::span<const ArgsTable::Field> fields_of(const ArgsTable& args,
                                                     const ArgsTable::Shape& shape) {
    return std::span(args.fields_).subspan(shape.first, shape.count + shape.unlisted);
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

  // Checks that parts name existing combinations, and that fields of type text name strings.
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
      if (field.key >= args.keys.size() || !is_stored(field.type) ||
          (field.bytes != 1 && field.bytes != 2 && field.bytes != 4 && field.bytes != 8))
        return false;
    if (!are_parts_sound(args)) return false;
    for (const ArgsTable::Shape& shape : args.shapes_) {
      if (shape.first > args.fields_.size() || shape.count > args.fields_.size() - shape.first ||
          shape.unlisted > args.fields_.size() - shape.first - shape.count)
        return false;
      if (shape.parted != kNone) {
        if (shape.unlisted != 0 || !is_parted_shape_sound(args, shape)) return false;
        continue;
      }
      for (const ArgsTable::Field& field : fields_of(args, shape))
        if (uint64_t{field.at} + field.bytes > shape.bytes) return false;
    }
    return true;
  }

  // Counts the unlisted rows, too. Requires: are_shapes_sound(), and sets with known shapes.
  static bool are_unlisted_sets_sound(ArgsTable& args) {
    const size_t count = args.unlisted_sets_.size();
    if (args.first_leaves_.size() != count) return false;
    int64_t last = -1;
    uint64_t rows = 0;
    for (size_t i = 0; i < count; ++i) {
      const int64_t set = args.unlisted_sets_[i];
      if (set <= last || set >= int64_t{args.sets()}) return false;
      last = set;
      const auto shape = static_cast<uint64_t>(args.shapes_of_sets_[static_cast<size_t>(set)]);
      if (shape >= args.shapes_.size() || args.shapes_[shape].unlisted == 0 ||
          static_cast<uint64_t>(args.first_leaves_[i]) !=
              args.first_row(static_cast<uint32_t>(set)) + rows)
        return false;
      rows += args.shapes_[shape].unlisted;
    }
    args.unlisted_rows_ = rows;
    return true;
  }

  // Checks that sets have shapes, rows and records, and that their texts are strings.
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
      size_t row = args_.first_row(first);
      uint32_t rowless = args_.rowless_before(first);
      if (first == 0 && rowless != 0) return false;
      for (uint32_t set = first; set < end; ++set) {
        const auto shape = static_cast<uint64_t>(args_.shapes_of_sets_[set]);
        if (shape >= args_.shapes_.size()) return false;
        const std::optional<uint64_t> place = sound_place(args_.shapes_[shape], set);
        if (!place) return false;
        const uint32_t count = args_.shapes_[shape].count;
        const bool is_rowless =
            rowless < args_.rowless_sets_.size() && args_.rowless_sets_[rowless] == int64_t{set};
        if ((count == 0) != is_rowless || (count != 0 && !args_.starts_.is_start(row)))
          return false;
        rowless += is_rowless ? 1 : 0;
        row += count;
        if (!texts_[shape].empty() && !are_strings(texts_[shape], args_.values_at(*place)))
          return false;
      }
      const bool is_last = end == args_.sets();
      return row == (is_last ? args_.rows_ : args_.first_row(end)) &&
             rowless == (is_last ? args_.rowless_sets_.size() : args_.rowless_before(end));
    }

   private:
    std::optional<uint64_t> sound_place(const ArgsTable::Shape& shape, uint32_t set) const {
      if (shape.parted != kNone) {
        const auto& layout = args_.parted_layouts_[shape.parted];
        if (layout.firsts.size() <= set / ArgsTable::kSetsOfBlock) return std::nullopt;
        const uint64_t place = args_.place_of(shape, set, args_.places_[set]);
        if (place >= layout.parts[0].numbers.size()) return std::nullopt;
        return place;
      }
      const auto place = static_cast<uint64_t>(args_.places_[set]);
      const uint64_t chunk = place >> kChunkBits, at = place & (kChunkBytes - 1);
      if (chunk + 1 >= starts_.size() || at + shape.bytes > starts_[chunk + 1] - starts_[chunk])
        return std::nullopt;
      return place;
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

void write_args(const ArgsTable& args, PartWriter& out) { ArgsImage::write(args, out); }

void view_args(PartReader& in, ArgsTable& args, Checks& checks, const StringPool& strings) {
  ArgsImage::view(in, args, checks, strings);
}

size_t size_of_arg_shape() { return ArgsImage::kSizeOfShape; }

}  // namespace tracebraid
