// Streams a scene to an OBJ file, and its materials to an MTL file beside it.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/vec.hpp"

namespace ballotcast::detail {

/// A file that could not be written; `what()` names the path and the reason on one line.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A row of the MTL file: a name and a diffuse colour (linear RGB).
struct MaterialRow {
  const char* name;
  dvec3 diffuse;
};

/// A corner of a triangle: 1-based indices of the position and the normal. Normal 0 means none.
struct Corner {
  u64 position = 0;
  u64 normal = 0;
};

/// A text file: text is collected in memory and written to `path` plus a temporary suffix; `commit`
/// renames the file to `path`. Without a commit the temporary file is removed.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  OutputFile& text(const std::string& words);
  OutputFile& character(char c);
  OutputFile& integer(u64 value);
  /// `value` rounded to five decimals. It is printed with integer arithmetic, so that the C library
  /// has no influence.
  OutputFile& decimal(double value);

  void commit();

 private:
  void send();
  [[noreturn]] void fail();

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
};

/// Writes `path` and the MTL file with the same stem. A triangle may be written as soon as its own
/// vertices are. Only some hundred kilobytes are held in memory, whatever the size of the scene.
/// Throws OutputError.
class ObjWriter {
 public:
  /// `command` is the command line that reproduces the file; it is written as a comment at the top
  /// of both files.
  ObjWriter(const std::string& path, const std::string& command);

  /// Declares the materials that `use` may select.
  void materials(const std::vector<MaterialRow>& rows);

  /// Starts a named object.
  void group(const std::string& name);

  /// Selects the material of the triangles that follow.
  void use(const std::string& material);

  Corner vertex(dvec3 position);
  /// `normal` need not have length 1; it is written as a unit vector.
  Corner vertex(dvec3 position, dvec3 normal);
  void triangle(Corner a, Corner b, Corner c);

  u64 triangles() const { return triangles_; }

  /// Renames both files to their final names.
  void commit();

 private:
  OutputFile obj_;
  OutputFile mtl_;
  std::string material_;
  u64 positions_ = 0;
  u64 normals_ = 0;
  u64 triangles_ = 0;
};

}  // namespace ballotcast::detail
