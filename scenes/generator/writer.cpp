#include "writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace ballotcast::detail {
namespace {

constexpr std::size_t kBufferBytes = 1 << 18;

// "dir/name.obj" -> "dir/name". A name without the extension .obj is kept whole.
std::string stem_of(const std::string& path) {
  const std::string ending = ".obj";
  const bool has_ending = path.size() > ending.size() &&
                          path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
  return has_ending ? path.substr(0, path.size() - ending.size()) : path;
}

std::string name_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// The file that a name refers to, with links resolved: the rename at the end must not replace a
// link.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const bool is_link = std::filesystem::is_symlink(path, error);
  const auto real = std::filesystem::weakly_canonical(path, error);
  return is_link && !error ? real.string() : path;
}

}  // namespace

OutputFile::OutputFile(const std::string& path)
    : path_(behind_links(path)), temporary_(path_ + ".tmp" + std::to_string(getpid())) {
  // The rename must not replace anything but a regular file either.
  if (std::filesystem::exists(path_) && !std::filesystem::is_regular_file(path_))
    throw OutputError("cannot write " + path_ + ": it is a folder, a pipe or a device");
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) fail();
  buffer_.reserve(kBufferBytes + 256);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void OutputFile::fail() {
  const std::string reason = std::strerror(errno);
  if (file_ != nullptr) {
    std::fclose(file_);
    std::remove(temporary_.c_str());
    file_ = nullptr;
  }
  throw OutputError("cannot write " + path_ + ": " + reason);
}

void OutputFile::send() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) fail();
  buffer_.clear();
}

OutputFile& OutputFile::text(const std::string& words) {
  buffer_ += words;
  if (buffer_.size() >= kBufferBytes) send();
  return *this;
}

OutputFile& OutputFile::character(char c) {
  buffer_ += c;
  if (buffer_.size() >= kBufferBytes) send();
  return *this;
}

OutputFile& OutputFile::integer(u64 value) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count > 0) buffer_ += digits[--count];
  return *this;
}

OutputFile& OutputFile::decimal(double value) {
  const double scaled = std::floor(value * 100000.0 + 0.5);
  long long units = static_cast<long long>(scaled);
  if (units < 0) {
    buffer_ += '-';
    units = -units;
  }
  integer(static_cast<u64>(units / 100000));
  long long fraction = units % 100000;
  if (fraction == 0) return *this;
  buffer_ += '.';
  for (long long place = 10000; fraction != 0; place /= 10) {
    buffer_ += static_cast<char>('0' + fraction / place);
    fraction %= place;
  }
  return *this;
}

void OutputFile::commit() {
  send();
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    std::remove(temporary_.c_str());
    errno = reason;
    fail();
  }
}

ObjWriter::ObjWriter(const std::string& path, const std::string& command)
    : obj_(path), mtl_(stem_of(path) + ".mtl") {
  for (OutputFile* file : {&mtl_, &obj_}) file->text("# Regenerate with: " + command + "\n");
  obj_.text("mtllib " + name_of(stem_of(path)) + ".mtl\n");
}

void ObjWriter::materials(const std::vector<MaterialRow>& rows) {
  for (const MaterialRow& row : rows) {
    mtl_.text("\nnewmtl ").text(row.name).text("\nKd");
    for (int i = 0; i < 3; ++i) mtl_.character(' ').decimal(row.diffuse[i]);
    mtl_.text("\nillum 1\n");
  }
}

void ObjWriter::group(const std::string& name) { obj_.text("o ").text(name).character('\n'); }

void ObjWriter::use(const std::string& material) {
  if (material == material_) return;
  material_ = material;
  obj_.text("usemtl ").text(material).character('\n');
}

Corner ObjWriter::vertex(dvec3 position) {
  obj_.character('v');
  for (int i = 0; i < 3; ++i) obj_.character(' ').decimal(position[i]);
  obj_.character('\n');
  return {++positions_, 0};
}

Corner ObjWriter::vertex(dvec3 position, dvec3 normal) {
  Corner corner = vertex(position);
  const double length = std::sqrt(dot(normal, normal));
  obj_.text("vn");
  for (int i = 0; i < 3; ++i) obj_.character(' ').decimal(normal[i] / length);
  obj_.character('\n');
  corner.normal = ++normals_;
  return corner;
}

void ObjWriter::triangle(Corner a, Corner b, Corner c) {
  obj_.character('f');
  for (const Corner& corner : {a, b, c}) {
    obj_.character(' ').integer(corner.position);
    if (corner.normal != 0) obj_.text("//").integer(corner.normal);
  }
  obj_.character('\n');
  ++triangles_;
}

void ObjWriter::commit() {
  mtl_.commit();  // first, so that a visible OBJ file always has its materials
  obj_.commit();
}

}  // namespace ballotcast::detail
