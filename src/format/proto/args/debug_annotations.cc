#include "format/proto/args/debug_annotations.h"

#include <string>
#include <vector>

#include "format/common/proto_wire.h"
#include "format/proto/args/json_args.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"
#include "format/proto/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::DebugAnnotation;

// The fields of an annotation, except the elements of dicts and arrays.
struct Annotation {
  uint64_t name_iid = 0;
  std::string_view name;
  bool has_name = false;
  uint32_t value_field = 0;  // the field with the value; 0: none
  ArgType type = ArgType::Null;
  int64_t value = 0;
  std::string_view text;
  uint64_t type_iid = 0;  // type of a proto value
  std::string_view type_name;
  uint64_t own_key = 0;  // iid
  std::string_view own_value;
};

Annotation read_annotation(std::string_view message) {
  Annotation a;
  const auto set = [&](const Message& field, ArgType type, int64_t value) {
    a.value_field = field.number();
    a.type = type;
    a.value = value;
  };
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kNameIid:
        a.name_iid = fields.u64();
        break;
      case Field::kName:
        a.name = fields.bytes();
        a.has_name = true;
        break;
      case Field::kBoolValue:
        set(fields, ArgType::Bool, fields.flag() ? 1 : 0);
        break;
      case Field::kUintValue:
        set(fields, ArgType::Uint, fields.i64());
        break;
      case Field::kIntValue:
        set(fields, ArgType::Int, fields.i64());
        break;
      case Field::kDoubleValue:
        set(fields, ArgType::Real, bits_of(fields.real()));
        break;
      case Field::kPointerValue:
        set(fields, ArgType::Pointer, fields.i64());
        break;
      case Field::kStringValueIid:
        set(fields, ArgType::String, fields.i64());
        break;
      case Field::kStringValue:
      case Field::kNestedValue:
      case Field::kLegacyJsonValue:
      case Field::kProtoValue:
        set(fields, ArgType::String, 0);
        a.text = fields.bytes();
        break;
      case Field::kDictEntries:
      case Field::kArrayValues:
        a.value_field = fields.number();
        break;
      case Field::kProtoTypeName:
        a.type_name = fields.bytes();
        break;
      case Field::kProtoTypeNameIid:
        a.type_iid = fields.u64();
        break;
      case own::kField:
        a.own_key = fields.u64();
        break;
      case own::kValueField:
        a.own_value = fields.bytes();
        break;
      default:
        break;
    }
  }
  return a;
}

// Reads one annotation with its nested ones.
class Reader {
 public:
  Reader(uint32_t machine, InternedData* interned, DescriptorPool& pool, ArraySizes& arrays,
         EventSink& sink)
      : machine_(machine), interned_(interned), pool_(pool), arrays_(arrays), sink_(sink) {}

  uint32_t errors() const { return errors_; }

  void read_root(std::string_view message) {
    const Annotation a = read_annotation(message);
    if (a.own_key != 0 && interned_ != nullptr) return read_own(a);
    AnnotationName* known = nullptr;
    if (a.name_iid != 0) {
      known = interned_ == nullptr ? nullptr : interned_->annotation_names.find(a.name_iid);
      if (known == nullptr) {
        sink_.tally(stats::interned_data_tokenizer_errors, 1, machine_);
        ++errors_;
        return;
      }
    } else if (!a.has_name) {
      ++errors_;
      return;
    }
    if (known != nullptr && is_scalar(a)) {
      if (known->key == kNone) known->key = root_key(*known);
      add_scalar(a, known->key);
      return;
    }
    ArgPath path("debug");
    enter(known != nullptr ? *known : annotation_name(a.name, sink_), path);
    read_value(a, message, path, 0);
  }

  // Reads an annotation that has a name, below `path`.
  void read_named(std::string_view message, ArgPath& path, int depth) {
    const Annotation a = read_annotation(message);
    const AnnotationName name = name_of(a);
    if (!name.text) {
      ++errors_;
      return;
    }
    const ArgPath::Mark mark = path.mark();
    enter(name, path);
    read_value(a, message, path, depth);
    path.leave(mark);
  }

 private:
  static bool is_scalar(const Annotation& a) {
    switch (a.value_field) {
      case Field::kBoolValue:
      case Field::kUintValue:
      case Field::kIntValue:
      case Field::kDoubleValue:
      case Field::kPointerValue:
      case Field::kStringValue:
      case Field::kStringValueIid:
        return true;
      default:
        return false;
    }
  }

  void read_own(const Annotation& a) {
    const uint32_t* const key = interned_->own_keys.find(a.own_key);
    if (key == nullptr) {
      ++errors_;
    } else if (!a.own_value.empty()) {
      if (!own::add_arg(Message(a.own_value), sink_, *key)) ++errors_;
    } else if (a.value_field == Field::kLegacyJsonValue) {
      sink_.arg(*key, ArgType::Json, sink_.string(a.text).row);
    } else if (is_scalar(a)) {
      add_scalar(a, *key);
    } else {
      sink_.arg(*key, ArgType::Null, 0);
    }
  }

  uint32_t root_key(const AnnotationName& name) {
    ArgPath path("debug");
    enter(name, path);
    return path.arg_key(sink_);
  }

  void enter(const AnnotationName& name, ArgPath& path) {
    const StringPool& strings = sink_.batch().strings;
    const std::string_view text = strings.get(name.text);
    if (name.text == name.original && !text.empty())
      path.enter(text);
    else
      path.enter(text, strings.get(name.original));
  }

  void add_scalar(const Annotation& a, uint32_t key) {
    int64_t value = a.value;
    if (a.value_field == Field::kStringValue) value = sink_.string(a.text).row;
    if (a.value_field == Field::kStringValueIid) {
      const StringId* text =
          interned_ == nullptr ? nullptr
                               : interned_->annotation_strings.find(static_cast<uint64_t>(a.value));
      if (text == nullptr) {
        sink_.tally(stats::interned_data_tokenizer_errors, 1, machine_);
        ++errors_;
        return;
      }
      value = text->row;
    }
    sink_.arg(key, a.type, value);
  }

  void read_value(const Annotation& a, std::string_view message, ArgPath& path, int depth) {
    if (depth > kMaxArgDepth) {
      ++errors_;
      return;
    }
    switch (a.value_field) {
      case Field::kDictEntries:
        read_entries(message, path, depth);
        break;
      case Field::kArrayValues:
        read_elements(message, path, depth);
        break;
      case Field::kNestedValue:
        read_nested(a.text, path, depth);
        break;
      case Field::kLegacyJsonValue:
        if (!add_json(a.text, path, arrays_, sink_)) ++errors_;
        break;
      case Field::kProtoValue:
        read_proto(a, path, depth);
        break;
      case 0:
        ++errors_;
        sink_.unlisted_arg(path.arg_key(sink_), ArgType::Null);
        break;
      default:
        add_scalar(a, path.arg_key(sink_));
    }
  }

  // Reads a message of the type that the annotation names.
  void read_proto(const Annotation& a, ArgPath& path, int depth) {
    std::string_view type = a.type_name;
    if (a.type_iid != 0) {
      const StringId* known =
          interned_ == nullptr ? nullptr : interned_->annotation_types.find(a.type_iid);
      if (known != nullptr) type = sink_.batch().strings.get(*known);
    }
    if (type.starts_with('.')) type.remove_prefix(1);
    if (!pool_.has_message(type)) {
      ++errors_;
      return;
    }
    const auto add_annotation = [this](const FieldDescriptor& field, const Message& value,
                                       ArgPath& below, int at) {
      if (!is_annotation(field, value)) return false;
      read_named(value.bytes(), below, at + 1);
      return true;
    };
    const AddField add_own = add_annotation;
    add_message_args(pool_, type, a.text, path, arrays_, sink_, depth, &add_own);
  }

  void read_entries(std::string_view message, ArgPath& path, int depth) {
    for (Message fields(message); fields.next();)
      if (fields.number() == Field::kDictEntries) read_named(fields.bytes(), path, depth + 1);
  }

  void read_elements(std::string_view message, ArgPath& path, int depth) {
    const ArgPath::Mark mark = path.mark();
    for (Message fields(message); fields.next();) {
      if (fields.number() != Field::kArrayValues) continue;
      path.enter(arrays_.add(path));
      read_value(read_annotation(fields.bytes()), fields.bytes(), path, depth + 1);
      path.leave(mark);
    }
  }

  AnnotationName name_of(const Annotation& a) {
    if (a.name_iid == 0) return a.has_name ? annotation_name(a.name, sink_) : AnnotationName{};
    const AnnotationName* known =
        interned_ == nullptr ? nullptr : interned_->annotation_names.find(a.name_iid);
    if (known != nullptr) return *known;
    sink_.tally(stats::interned_data_tokenizer_errors, 1, machine_);
    return {};
  }

  // Reads the older form of dicts and arrays.
  void read_nested(std::string_view message, ArgPath& path, int depth) {
    using Nested = field::DebugAnnotation_NestedValue;
    using Type = field::DebugAnnotation_NestedValue_NestedType;
    if (depth > kMaxArgDepth) {
      ++errors_;
      return;
    }
    uint64_t type = Type::kUnspecified;
    bool has_scalar = false;
    std::vector<std::string_view> keys, values;
    for (Message fields(message); fields.next();) {
      switch (fields.number()) {
        case Nested::kNestedType:
          type = fields.u64();
          break;
        case Nested::kDictKeys:
          keys.push_back(fields.bytes());
          break;
        case Nested::kDictValues:
        case Nested::kArrayValues:
          values.push_back(fields.bytes());
          break;
        case Nested::kIntValue:
          sink_.arg(path.arg_key(sink_), ArgType::Int, fields.i64());
          has_scalar = true;
          break;
        case Nested::kDoubleValue:
          sink_.arg(path.arg_key(sink_), ArgType::Real, bits_of(fields.real()));
          has_scalar = true;
          break;
        case Nested::kBoolValue:
          sink_.arg(path.arg_key(sink_), ArgType::Bool, fields.flag() ? 1 : 0);
          has_scalar = true;
          break;
        case Nested::kStringValue:
          sink_.arg(path.arg_key(sink_), ArgType::String, sink_.string(fields.bytes()).row);
          has_scalar = true;
          break;
        default:
          break;
      }
    }
    if (values.empty() && !has_scalar)
      sink_.unlisted_arg(path.arg_key(sink_), type == Type::kDict    ? ArgType::EmptyObject
                                              : type == Type::kArray ? ArgType::EmptyArray
                                                                     : ArgType::Null);
    const ArgPath::Mark mark = path.mark();
    for (size_t i = 0; i < values.size(); ++i) {
      if (type == Type::kArray) {
        path.enter(arrays_.add(path));
      } else if (type == Type::kDict && i < keys.size()) {
        enter(annotation_name(keys[i], sink_), path);
      } else {
        break;
      }
      read_nested(values[i], path, depth + 1);
      path.leave(mark);
    }
  }

  uint32_t machine_;
  InternedData* interned_;  // null if the writer interned nothing
  DescriptorPool& pool_;
  ArraySizes& arrays_;
  EventSink& sink_;
  uint32_t errors_ = 0;
};

}  // namespace

uint32_t read_debug_annotation(std::string_view message, uint32_t machine, InternedData* interned,
                               DescriptorPool& pool, ArraySizes& arrays, EventSink& sink) {
  Reader reader(machine, interned, pool, arrays, sink);
  reader.read_root(message);
  return reader.errors();
}

bool is_annotation(const FieldDescriptor& field, const Message& value) {
  return field.type_name == "perfetto.protos.DebugAnnotation" && value.wire() == Wire::Bytes;
}

uint32_t read_annotation_below(std::string_view message, ArgPath& path, int depth, uint32_t machine,
                               InternedData* interned, DescriptorPool& pool, ArraySizes& arrays,
                               EventSink& sink) {
  Reader reader(machine, interned, pool, arrays, sink);
  reader.read_named(message, path, depth);
  return reader.errors();
}

}  // namespace tracebraid::proto
