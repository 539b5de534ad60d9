// OpenEXR files, read and written by the OpenEXR library. Only this file includes it.
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOutputFile.h>

#include <algorithm>
#include <cstring>

#include "image/limits.hpp"
#include "image/linear/exr_header.hpp"
#include "image/linear/formats.hpp"
#include "image/magic.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

constexpr char kNameInErrors[] = "picture";
constexpr int kNoThreads = 0;  // besides the caller's

/// A file in memory, for reading.
class Source final : public Imf::IStream {
 public:
  explicit Source(const std::vector<u8>& bytes) : IStream(kNameInErrors), bytes_(bytes) {}

  bool read(char to[], int count) override {
    const u64 n = static_cast<u64>(count);
    if (at_ > bytes_.size() || n > bytes_.size() - at_) throw Iex::InputExc("it is cut off");
    std::memcpy(to, bytes_.data() + at_, n);
    at_ += n;
    return at_ < bytes_.size();
  }
  std::uint64_t tellg() override { return at_; }
  void seekg(std::uint64_t to) override { at_ = to; }

 private:
  const std::vector<u8>& bytes_;
  u64 at_ = 0;
};

/// A file in memory, for writing.
class Target final : public Imf::OStream {
 public:
  explicit Target(std::vector<u8>& bytes) : OStream(kNameInErrors), bytes_(bytes) {}

  void write(const char from[], int count) override {
    const u64 n = static_cast<u64>(count);
    bytes_.resize(std::max<u64>(bytes_.size(), at_ + n));
    std::memcpy(bytes_.data() + at_, from, n);
    at_ += n;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t to) override { at_ = to; }

 private:
  std::vector<u8>& bytes_;
  u64 at_ = 0;
};

/// True if the picture is grey. Throws InputError if it has neither R, G and B nor Y.
bool is_grey(const Imf::ChannelList& channels, const std::string& name) {
  const auto has = [&](const char* channel) { return channels.findChannel(channel) != nullptr; };
  if (has("R") && has("G") && has("B")) return false;
  if (has("Y") && !has("RY") && !has("BY")) return true;
  std::string list;
  for (auto row = channels.begin(); row != channels.end(); ++row)
    list.append(list.empty() ? "" : ", ").append(row.name());
  throw InputError(name + ": an OpenEXR picture with the channels " + list +
                   "; R, G and B, or Y alone, are read");
}

u64 side(int low, int high) { return static_cast<u64>(std::int64_t{high} - low + 1); }

/// A black picture of the size of a window.
LinearImage black(const Imath::Box2i& window) {
  LinearImage image{static_cast<u32>(side(window.min.x, window.max.x)),
                    static_cast<u32>(side(window.min.y, window.max.y)),
                    {}};
  image.pixels.assign(u64{image.width} * image.height, Vec3f(0.0f, 0.0f, 0.0f));
  return image;
}

/// The pixels of the data window.
LinearImage stored_pixels(Imf::InputPart& part, const std::string& name) {
  const bool grey = is_grey(part.header().channels(), name);
  const Imath::Box2i& window = part.header().dataWindow();
  LinearImage image = black(window);
  Imf::FrameBuffer frame;
  const auto add = [&](const char* channel, float& first) {
    frame.insert(channel, Imf::Slice::Make(Imf::FLOAT, &first, window, sizeof(Vec3f),
                                           sizeof(Vec3f) * image.width));
  };
  add(grey ? "Y" : "R", image.pixels[0].x);
  if (!grey) add("G", image.pixels[0].y);
  if (!grey) add("B", image.pixels[0].z);
  part.setFrameBuffer(frame);
  part.readPixels(window.min.y, window.max.y);
  if (grey)
    for (Vec3f& pixel : image.pixels) pixel = {pixel.x, pixel.x, pixel.x};
  return image;
}

/// The display window: what is stored of it, and black around that.
LinearImage shown_pixels(LinearImage stored, const Imath::Box2i& data, const Imath::Box2i& shown) {
  if (data == shown) return stored;
  LinearImage image = black(shown);
  const std::int64_t left = std::max(data.min.x, shown.min.x),
                     right = std::int64_t{std::min(data.max.x, shown.max.x)} + 1;
  for (std::int64_t y = std::max(data.min.y, shown.min.y);
       y <= std::min(data.max.y, shown.max.y) && left < right; ++y)
    std::copy_n(stored.pixels.begin() + (y - data.min.y) * stored.width + (left - data.min.x),
                right - left,
                image.pixels.begin() + (y - shown.min.y) * image.width + (left - shown.min.x));
  return image;
}

LinearImage decode_exr(const std::vector<u8>& bytes, const std::string& name) {
  require_sound_exr_header(bytes, name);
  try {
    Source source(bytes);
    Imf::MultiPartInputFile file(source, kNoThreads);
    Imf::InputPart part(file, 0);
    // The header was checked, but what counts is what the library read.
    for (const Imath::Box2i& window : {part.header().dataWindow(), part.header().displayWindow()})
      require_plausible(side(window.min.x, window.max.x), side(window.min.y, window.max.y),
                        bytes.size(), name);
    LinearImage stored = stored_pixels(part, name);
    return shown_pixels(std::move(stored), part.header().dataWindow(),
                        part.header().displayWindow());
  } catch (const Iex::BaseExc& error) {
    refuse_damaged("OpenEXR picture", name, error.what());
  }
}

std::vector<u8> encode_exr(const LinearImage& image) {
  const int width = static_cast<int>(image.width), height = static_cast<int>(image.height);
  std::vector<u8> bytes;
  try {
    Imf::Header header(width, height);
    header.compression() = Imf::ZIP_COMPRESSION;
    Imf::FrameBuffer frame;
    const auto add = [&](const char* channel, const float& first) {
      header.channels().insert(channel, Imf::Channel(Imf::FLOAT));
      frame.insert(channel, Imf::Slice::Make(Imf::FLOAT, &first, header.dataWindow(), sizeof(Vec3f),
                                             sizeof(Vec3f) * image.width));
    };
    add("R", image.pixels[0].x);
    add("G", image.pixels[0].y);
    add("B", image.pixels[0].z);
    Target target(bytes);
    Imf::OutputFile file(target, header, kNoThreads);
    file.setFrameBuffer(frame);
    file.writePixels(height);
  } catch (const Iex::BaseExc& error) {
    throw UsageError("a picture of " + std::to_string(image.width) + "x" +
                     std::to_string(image.height) +
                     " pixels can't be stored as OpenEXR: " + error.what());
  }
  return bytes;
}

}  // namespace

LinearFormat exr_format() {
  return {"exr", "",
          [](const std::vector<u8>& bytes) { return begins_with(bytes, "\x76\x2f\x31\x01"); },
          decode_exr, encode_exr};
}

}  // namespace ballotcast::detail
