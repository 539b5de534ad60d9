#include "scene/formats/lookalikes.hpp"

#include <algorithm>
#include <array>

#include "scene/formats/readers.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

struct Signature {
  std::string_view begin;  // of the file
  const char* kind;
};

constexpr std::array<Signature, 18> kSignatures = {
    {{"\x89PNG", "a PNG picture"},
     {"\xff\xd8\xff", "a JPEG picture"},
     {"GIF8", "a GIF picture"},
     {"%PDF", "a PDF file"},
     {"glTF", "a binary glTF file (.glb)"},
     {"Kaydara FBX Binary", "an FBX file"},
     {"BLENDER", "a Blender file"},
     {"PXR-USDC", "a USD file"},
     {"#usda", "a USD file"},
     {"PK\x03\x04", "a ZIP archive, as 3MF and USDZ files are"},
     {"ISO-10303-21", "a STEP file"},
     {"version https://git-lfs", "a pointer of Git LFS; \"git lfs pull\" fetches the file itself"},
     {"<!DOCTYPE html", "a web page"},
     {"<!doctype html", "a web page"},
     {"<html", "a web page"},
     {"<?xml", "an XML file"},
     {"{", "JSON, as glTF files and scene files are"},
     {"\x7f"
      "ELF",
      "a program"}}};

/// First words of mesh files that are text.
constexpr std::array<Signature, 10> kFirstWords = {{{"ply", "a PLY file"},
                                                    {"solid", "a text STL file"},
                                                    {"OFF", "an OFF file"},
                                                    {"COFF", "an OFF file"},
                                                    {"NOFF", "an OFF file"},
                                                    {"v", "an OBJ file"},
                                                    {"vn", "an OBJ file"},
                                                    {"vt", "an OBJ file"},
                                                    {"mtllib", "an OBJ file"},
                                                    {"newmtl", "an MTL file"}}};

/// A kind of file that is not read, and programs that convert it.
struct ForeignKind {
  std::string_view suffixes;  // each with a blank behind it
  const char* kind;
  const char* converters;
};

constexpr std::array<ForeignKind, 8> kForeign = {
    {{".usd .usda .usdc .usdz ", "USD", "Blender exports .glb"},
     {".blend ", "Blender",
      "Blender exports .glb: blender -b FILE --python-expr \"import bpy; "
      "bpy.ops.export_scene.gltf(filepath='out.glb')\""},
     {".fbx .dae .3ds ", "FBX, Collada and 3DS",
      "a program that was built with assimp reads them; "
      "Blender, or assimp export FILE out.glb"},
     {".step .stp .iges .igs .brep ", "CAD", "FreeCAD or gmsh -2 FILE -o out.stl"},
     {".3mf ", "3MF", "PrusaSlicer --export-stl FILE, or MeshLab"},
     {".x3d .wrl .vrml ", "X3D and VRML", "MeshLab or Blender export .ply"},
     {".max .ma .mb .c4d .skp ", "3ds Max, Maya, Cinema 4D and SketchUp",
      "these programs export .obj or .glb"},
     {".vtk .vtp .vtu ", "VTK", "ParaView saves .ply"}}};

std::string_view text_of(const std::vector<u8>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string seems_to_be(const std::vector<u8>& bytes) {
  std::string_view front = trimmed(without_mark(text_of(bytes).substr(0, 1024)));
  for (const Signature& row : kSignatures)
    if (front.starts_with(row.begin)) return row.kind;
  while (front.starts_with('#')) {  // comments
    front.remove_prefix(std::min(front.find_first_of("\r\n"), front.size()));
    front = trimmed(front);
  }
  const std::string_view word = next_word(front);
  for (const Signature& row : kFirstWords)
    if (word == row.begin) return row.kind;
  return {};
}

void refuse_lookalike(const std::string& path, const std::string& kind,
                      const std::vector<u8>& bytes) {
  const std::string other = seems_to_be(bytes);
  constexpr std::size_t kShown = 16;  // characters
  throw InputError(path + ": not " + kind + ": " +
                   (other.empty()
                        ? "it begins with " + quoted_name(text_of(bytes).substr(0, kShown))
                        : "it seems to be " + other));
}

std::string advice_on_suffix(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string wanted = std::string(name.substr(dot)) + " ";
  for (const ForeignKind& row : kForeign) {
    const std::size_t found = row.suffixes.find(wanted);
    if (found != row.suffixes.npos)
      return std::string("to convert files of ") + row.kind + ": " + row.converters;
  }
  return {};
}

}  // namespace ballotcast::detail
