#include "scene/formats/gltf/accessors.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "scene/formats/readers.hpp"

namespace ballotcast::detail {

namespace {

/// The number by which the file states the type of an accessor's components.
enum Component : u32 {
  kInt8 = 5120,
  kUint8 = 5121,
  kInt16 = 5122,
  kUint16 = 5123,
  kUint32 = 5125,
  kFloat = 5126
};

constexpr std::array<std::pair<std::string_view, u32>, 5> kWidths = {
    {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}}};

// An accessor without bytes consists of zeros. It may have this many elements, or else as many as
// the file has bytes, because otherwise a small file could fill the memory.
constexpr u64 kZerosAlways = 65536;

u32 component_of(const Section& in) {
  const u32 type = in.count("componentType", kInt8, kFloat);
  if (type == 5124) in.fail("componentType", "must not be 5124");
  return type;
}

u32 size_of(u32 component) { return component <= kUint8 ? 1 : component <= kUint16 ? 2 : 4; }

/// The bytes of elements in the file.
struct Elements {
  const u8* begin;
  u64 stride;
};

/// Finds the elements that `in` describes: `count` elements of `width` components. Throws
/// InputError unless the file contains all their bytes.
Elements elements_of(GltfFile& file, const Section& in, u64 count, u32 width, u32 component) {
  const u32 index = file.index(in, "bufferView", "bufferViews");
  const Section view_in = file.item("bufferViews", index);
  const std::span<const u8> view = file.view(index);
  const u64 size = u64{width} * size_of(component);
  const u64 view_stride = view_in.has("byteStride") ? view_in.count("byteStride", 0, 65535) : 0;
  const u64 offset = in.has("byteOffset") ? in.count("byteOffset", 0, 0xffffffffu) : 0;
  const u64 stride = view_stride == 0 ? size : view_stride;  // some programs write 0
  // count and stride have at most 32 bits, so nothing overflows.
  if (stride < size) view_in.fail("byteStride", "is smaller than the elements");
  if (offset + (count - 1) * stride + size > view.size())
    in.fail("has " + std::to_string(count) + " elements, which end at byte " +
            std::to_string(offset + (count - 1) * stride + size) + " of " + view_in.name() +
            ", which has " + std::to_string(view.size()));
  return {view.data() + offset, stride};
}

/// Converts an integer: if it is normalized, to a fraction; otherwise to the same number.
template <class Integer>
float value_of(const u8* at, bool normalized) {
  const Integer value = number_at<Integer>(at);
  if (!normalized) return static_cast<float>(value);
  const double fraction = double(value) / double(std::numeric_limits<Integer>::max());
  return static_cast<float>(std::max(fraction, -1.0));
}

float value_at(const u8* at, u32 component, bool normalized) {
  switch (component) {
    case kInt8:
      return value_of<std::int8_t>(at, normalized);
    case kUint8:
      return value_of<u8>(at, normalized);
    case kInt16:
      return value_of<std::int16_t>(at, normalized);
    case kUint16:
      return value_of<std::uint16_t>(at, normalized);
    case kUint32:
      return value_of<u32>(at, normalized);
    default:
      return number_at<float>(at);
  }
}

u32 index_at(const u8* at, u32 component) {
  return component == kUint8    ? *at
         : component == kUint16 ? number_at<std::uint16_t>(at)
                                : number_at<u32>(at);
}

void require_index_type(const Section& in, u32 component) {
  if (component != kUint8 && component != kUint16 && component != kUint32)
    in.fail("componentType", "must be 5121, 5123 or 5125: indices are integers of at least 0");
}

u32 count_of(const GltfFile& file, const Section& in) {
  const u32 count = in.count("count", 0, 0x7fffffff);
  if (!in.has("bufferView") && count > kZerosAlways && count > file.bytes_read())
    in.fail("count", "is far larger than the file");
  return count;
}

/// Calls put(element, pointer to its bytes) for the elements that the sparse part replaces.
template <class Put>
void each_sparse(GltfFile& file, const Section& in, u32 width, u32 component, Put put) {
  if (!in.has("sparse")) return;
  const u32 count = in.count("count", 0, 0x7fffffff);
  if (count == 0) return;
  const Section sparse = in.object("sparse");
  const u32 replaced = sparse.count("count", 0, count);
  if (replaced == 0) return;
  const Section places = sparse.object("indices"), values = sparse.object("values");
  const u32 index_type = component_of(places);
  require_index_type(places, index_type);
  const Elements at = elements_of(file, places, replaced, 1, index_type);
  const Elements from = elements_of(file, values, replaced, width, component);
  for (u64 i = 0; i < replaced; ++i) {
    const u32 element = index_at(at.begin + i * at.stride, index_type);
    if (element >= count)
      places.fail("replace element " + std::to_string(element) + " of " + std::to_string(count));
    put(element, from.begin + i * from.stride);
  }
}

}  // namespace

GltfNumbers read_numbers(GltfFile& file, u32 accessor) {
  const Section in = file.item("accessors", accessor);
  const std::string type = in.text("type");
  GltfNumbers numbers;
  for (const auto& [name, width] : kWidths)
    if (name == type) numbers.width = width;
  if (numbers.width == 0) in.fail("type", "must be SCALAR, VEC2, VEC3, VEC4 or MAT4 for this use");
  const u32 width = numbers.width;
  const u32 component = component_of(in), count = count_of(file, in);
  const bool normalized = in.has("normalized") && in.flag("normalized");
  const u64 step = size_of(component);
  const auto put = [&](u64 element, const u8* from) {
    for (u32 i = 0; i < width; ++i)
      numbers.values[element * width + i] = value_at(from + i * step, component, normalized);
  };
  if (in.has("bufferView") && count != 0) {
    const Elements from = elements_of(file, in, count, width, component);
    numbers.values.resize(u64{count} * width);
    for (u64 i = 0; i < count; ++i) put(i, from.begin + i * from.stride);
  } else {
    numbers.values.resize(u64{count} * width);
  }
  each_sparse(file, in, width, component, put);
  return numbers;
}

std::vector<u32> read_indices(GltfFile& file, u32 accessor) {
  const Section in = file.item("accessors", accessor);
  if (in.text("type") != "SCALAR") in.fail("type", "must be SCALAR for indices");
  const u32 component = component_of(in), count = count_of(file, in);
  require_index_type(in, component);
  std::vector<u32> indices;
  if (in.has("bufferView") && count != 0) {
    const Elements from = elements_of(file, in, count, 1, component);
    indices.resize(count);
    for (u64 i = 0; i < count; ++i) indices[i] = index_at(from.begin + i * from.stride, component);
  } else {
    indices.resize(count);
  }
  each_sparse(file, in, 1, component,
              [&](u64 element, const u8* from) { indices[element] = index_at(from, component); });
  return indices;
}

const GltfNumbers& GltfAttributes::get(const Section& attributes, const std::string& name, u32 low,
                                       u32 high) {
  const u32 accessor = file_.index(attributes, name.c_str(), "accessors");
  const auto [entry, is_new] = read_.try_emplace(accessor);
  if (is_new) {
    entry->second = read_numbers(file_, accessor);
    number_count_ += entry->second.values.size();
  }
  const GltfNumbers& numbers = entry->second;
  if (numbers.width < low || numbers.width > high)
    attributes.fail(name, "is an accessor of the wrong type: it must be " +
                              (high == 1 ? "SCALAR" : "VEC" + std::to_string(low)) +
                              (low == high ? "" : " or VEC" + std::to_string(high)));
  return numbers;
}

GltfNumbers GltfAttributes::colors_if(const Section& attributes, const std::string& name,
                                      u32 count) {
  GltfNumbers numbers = get_if(attributes, name, 3, 4, count);
  if (numbers.width == 0) return numbers;
  const Section in = file_.item("accessors", file_.index(attributes, name.c_str(), "accessors"));
  const u32 component = component_of(in);
  if (component == kFloat || (in.has("normalized") && in.flag("normalized"))) return numbers;
  const double full = component == kUint8 ? 255.0 : 65535.0;
  for (float& value : numbers.values) value = static_cast<float>(double{value} / full);
  return numbers;
}

GltfNumbers GltfAttributes::get_if(const Section& attributes, const std::string& name, u32 low,
                                   u32 high, u32 count) {
  if (!attributes.has(name.c_str())) return {};
  const GltfNumbers& numbers = get(attributes, name, low, high);
  if (numbers.count() != count)
    attributes.fail(name, "has " + std::to_string(numbers.count()) + " elements for " +
                              std::to_string(count) + " positions");
  return numbers;
}

}  // namespace ballotcast::detail
