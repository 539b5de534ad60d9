// Functions for pictures: drawing, comparing, and reading and writing PNG files.
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "camera.hpp"
#include "compare/linear.hpp"
#include "compare/picture_files.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_files.hpp"
#include "render/outputs/outputs.hpp"
#include "render/setting_tables.hpp"
#include "scene.hpp"
#include "support/files/files.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

/// Returns the pixels of a picture: bytes, and floats if there are any. Both are arrays with one
/// row per pixel, of three numbers, or four with alpha.
nb::tuple pixels_of(Frame frame) {
  if (frame.image.alpha.empty())
    return nb::make_tuple(owned_array<std::uint8_t>(std::move(frame.image.pixels), 3),
                          owned_array<float>(std::move(frame.linear.pixels), 3));
  std::vector<std::uint16_t> samples = std::move(sampled(frame.image).samples);
  std::vector<float> numbers;
  for (std::size_t i = 0; i < frame.linear.pixels.size(); ++i) {
    const Vec3f p = frame.linear.pixels[i];
    for (const float number : {p.x, p.y, p.z, frame.linear.alpha[i]}) numbers.push_back(number);
  }
  return nb::make_tuple(
      owned_array<std::uint8_t>(std::vector<std::uint8_t>(samples.begin(), samples.end()), 4),
      owned_array<float>(std::move(numbers), 4));
}

/// Returns the numbers of an output, in an array with one row per pixel.
nb::object rows_of(PixelNumbers numbers) {
  const std::size_t columns = numbers.channels.size();
  return numbers.floats.empty()
             ? nb::cast(owned_array<std::int32_t>(std::move(numbers.integers), columns))
             : nb::cast(owned_array<float>(std::move(numbers.floats), columns));
}

/// Draws a picture. `options`: values of picture_settings as texts. `outputs`: names of outputs.
/// Returns the bytes and floats of the picture (None if only other outputs are asked for), and a
/// dictionary of the other outputs.
nb::tuple render(SceneHandle& scene, const std::map<std::string, std::string>& options,
                 const CameraOfSize& camera, bool linear, const std::vector<std::string>& outputs) {
  const detail::WantedOutputs wanted(outputs);
  if (wanted.needs_hits())
    throw UsageError("outputs: mattes are for OpenEXR files, which `ballotcast render` writes");
  RenderSettings settings;
  settings.width = camera.width;
  settings.height = camera.height;
  settings.camera = camera.settings;
  for (const auto& [key, text] : options) detail::picture_setting(key).set(settings, key, text);
  settings.cast = scene.casting().cast;
  settings.keep_linear = linear;
  const bool has_alpha = wanted.has(detail::kAlphaOutput);
  if (has_alpha) settings.background = detail::background_with_alpha(settings.background);
  Frame frame;
  std::vector<PixelNumbers> computed;
  scene.work([&](Renderer& renderer) {
    if (wanted.draws()) frame = renderer.render(settings);
    computed = renderer.outputs(settings, wanted.computed());
  });
  nb::dict numbers;
  for (PixelNumbers& output : computed) {
    const std::string key = detail::output_called(output.name).key();
    numbers[key.c_str()] = rows_of(std::move(output));
  }
  if (has_alpha) numbers["alpha"] = owned_array<float>(std::vector<float>(frame.image.alpha), 1);
  const nb::tuple pixels = pixels_of(std::move(frame));
  return nb::make_tuple(pixels[0], pixels[1], numbers);
}

/// Returns the defaults of all settings of pictures as texts, by their keys.
std::map<std::string, std::string> defaults_of_pictures() {
  std::map<std::string, std::string> defaults;
  for (const detail::PictureSetting& row : detail::picture_settings())
    defaults[std::string(row.key)] = row.text({});
  return defaults;
}

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

using Samples = nb::ndarray<const std::uint16_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

SampledImage sampled_image(const Samples& picture, std::uint32_t depth) {
  SampledImage image;
  image.height = static_cast<std::uint32_t>(picture.shape(0));
  image.width = static_cast<std::uint32_t>(picture.shape(1));
  image.channels = static_cast<std::uint32_t>(picture.shape(2));
  image.depth = depth;
  image.samples.assign(picture.data(), picture.data() + picture.size());
  return image;
}

/// A mask of pixels: those with a value other than 0 are ignored.
using Ignored = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Compares two pictures of the same size. The depths are bits per sample. Returns the number of
/// compared pixels, the number of different pixels, the largest difference, the worst pixel or
/// None, and the metrics as pairs of name and value.
nb::tuple compared(const Samples& reference, std::uint32_t reference_depth, const Samples& result,
                   std::uint32_t result_depth, const Ignored& ignored) {
  const SampledImage a = sampled_image(reference, reference_depth);
  const SampledImage b = sampled_image(result, result_depth);
  CompareOptions options;
  options.ignore_where = {a.width, a.height, 1, 8, {}};
  options.ignore_where.samples.assign(ignored.data(), ignored.data() + ignored.size());
  Comparison found;
  without_gil([&] { found = compare(a, b, options); });
  nb::object worst = nb::none();
  if (found.worst) worst = nb::make_tuple(found.worst->x, found.worst->y);
  nb::dict metrics;
  for (const MetricValue& value : found.values)
    metrics[std::string(value.metric->name).c_str()] = value.value;
  return nb::make_tuple(found.pixels, found.different, found.max_error, worst, metrics);
}

using Floats = nb::ndarray<const float, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

LinearImage linear_image(const Floats& picture) {
  LinearImage image{static_cast<std::uint32_t>(picture.shape(1)),
                    static_cast<std::uint32_t>(picture.shape(0)),
                    {}};
  const float* const p = picture.data();
  image.pixels.reserve(picture.size() / 3);
  for (std::size_t i = 0; i < picture.size(); i += 3)
    image.pixels.emplace_back(p[i], p[i + 1], p[i + 2]);
  return image;
}

/// Compares two pictures of floats of the same size. Returns the number of compared pixels, the
/// number of different pixels, and the metrics.
nb::tuple compared_floats(const Floats& reference, const Floats& result, const Ignored& ignored) {
  const LinearImage a = linear_image(reference), b = linear_image(result);
  const std::vector<bool> left_out(ignored.data(), ignored.data() + ignored.size());
  detail::LinearComparison found;
  constexpr std::uint32_t kBlock = 16;  // the same size as in the program
  without_gil([&] { found = detail::compare_linear(a, b, left_out, kBlock); });
  nb::dict metrics;
  for (const detail::LinearMetric& metric : detail::linear_metrics())
    metrics[std::string(metric.name).c_str()] = found.*metric.value;
  return nb::make_tuple(found.pixels, found.different, metrics);
}

/// Returns a PNG file. `picture` has three channels, or four with alpha.
nb::bytes png_of(const Bytes& picture) {
  const std::size_t channels = picture.shape(2), pixels = picture.size() / channels;
  Image<Rgb8> image{static_cast<std::uint32_t>(picture.shape(1)),
                    static_cast<std::uint32_t>(picture.shape(0)), std::vector<Rgb8>(pixels)};
  if (channels == 4) image.alpha.resize(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const std::uint8_t* p = picture.data() + i * channels;
    image.pixels[i] = {p[0], p[1], p[2]};
    if (channels == 4) image.alpha[i] = static_cast<float>(p[3]) / 255.0f;
  }
  const std::vector<std::uint8_t> encoded = encode_png(image);
  return nb::bytes(encoded.data(), encoded.size());
}

/// Returns the samples of a PNG file, in an array with one row per pixel, its width, and bits per
/// sample.
nb::tuple png_file(const std::string& path) {
  SampledImage image = read_png(path);
  const std::uint32_t channels = image.channels;
  return nb::make_tuple(owned_array<std::uint16_t>(std::move(image.samples), channels), image.width,
                        image.depth);
}

/// Returns the samples of a picture file of any format, in an array with one row per pixel, its
/// width, and bits per sample. Samples of linear pictures are floats, with 32 bits.
nb::tuple picture_file(const std::string& path) {
  const std::vector<std::uint8_t> bytes = detail::read_file(path);
  if (detail::begins_linear(bytes)) {
    LinearImage image = detail::decode_linear(bytes, path);
    return nb::make_tuple(owned_array<float>(std::move(image.pixels), 3), image.width, 32);
  }
  SampledImage image = detail::decode_picture(bytes, path);
  const std::uint32_t channels = image.channels;
  return nb::make_tuple(owned_array<std::uint16_t>(std::move(image.samples), channels), image.width,
                        image.depth);
}

/// Returns the ids in a picture file, in one row, and its width.
nb::tuple id_file(const std::string& path) {
  const SampledImage image = detail::ids_of(detail::read_file(path), path);
  std::vector<std::uint32_t> ids;
  ids.reserve(image.samples.size() / image.channels);
  for (std::size_t i = 0; i < image.samples.size(); i += image.channels)
    ids.push_back(detail::id_in(image.samples.data() + i));
  return nb::make_tuple(owned_array<std::uint32_t>(std::move(ids), 1), image.width);
}

}  // namespace

void bind_pictures(nb::module_& module, nb::class_<SceneHandle>& scene) {
  scene.def("render", &render, "settings"_a, "camera"_a, "linear"_a, "outputs"_a);
  module
      .def("compare", &compared, "reference"_a, "reference_depth"_a, "result"_a, "result_depth"_a,
           "ignored"_a)
      .def("compare_floats", &compared_floats, "reference"_a, "result"_a, "ignored"_a);
  module.def("picture_settings", &defaults_of_pictures);
  module.def("png_of", &png_of, "picture"_a);
  module.def("png_file", &png_file, "path"_a);
  module.def("picture_file", &picture_file, "path"_a);
  module.def("id_file", &id_file, "path"_a);
}

}  // namespace ballotcast::python
