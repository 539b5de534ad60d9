// The three kinds of output: results on stdout, remarks on stderr, and files.
#pragma once

#include <string>
#include <vector>

namespace ballotcast::detail {

/// Writes `text` to stdout and checks that it was written. Throws OutputError otherwise.
void print(const std::string& text);

/// Writes "ballotcast: TEXT" and a line end to stderr. Failure to write is ignored.
void remark(const std::string& text);

/// Prints a remark for each warning; if there are more than 8, for the first 8 and the number of
/// the rest.
void remark_warnings(const std::vector<std::string>& warnings);

/// Throws OutputError if no file can be created at `path`. Call it before long work, so that the
/// work is not lost when write_file_atomically fails at its end.
void require_writable(const std::string& path);

/// Throws UsageError, which names `option`, if the file name has the extension of a picture format
/// other than PNG.
void require_png_name(const std::string& option, const std::string& path);

/// Throws UsageError if a result would get a file name that scenes use, because it might overwrite
/// a file of a scene.
void require_no_scene_name(const std::string& path);

/// Throws UsageError or OutputError if no report can be written to `path`, the value of `option`.
/// The checks are those of require_no_scene_name and require_writable; `path` also must not be
/// stdout, where `printed` goes. "" stands for no file.
void require_report_place(const std::string& option, const std::string& path,
                          const std::string& printed);

/// Throws UsageError if `path`, the value of `option`, is one of `inputs`, which would be
/// overwritten. "" stands for no file.
void require_none_of(const std::string& option, const std::string& path,
                     const std::vector<std::string>& inputs);

/// True if `path` names this program's stdout.
bool is_stdout(const std::string& path);

/// True if both names are equal or refer to the same existing file.
bool same_file(const std::string& a, const std::string& b);

}  // namespace ballotcast::detail
