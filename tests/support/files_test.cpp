#include "support/files/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "ballotcast/error.hpp"
#include "math/portable.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace files_test {

std::vector<u8> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(Files, reads_back_what_was_written) {
  const TempDir dir;
  const std::string path = dir / "a.bin";
  const std::vector<u8> bytes = {0, 1, 255, 10, 13, 0};
  write_file_atomically(path, bytes);
  EXPECT_EQ(read_file(path), bytes);
  write_file_atomically(path, {});
  EXPECT_TRUE(read_file(path).empty());
  EXPECT_EQ(dir.entries(), 1u);
}

TEST(Files, names_a_missing_file_and_a_directory) {
  const TempDir dir;
  const std::string missing = message_of<InputError>([&] { read_file(dir / "none.obj"); });
  EXPECT_TRUE(contains(missing, dir / "none.obj")) << missing;
  EXPECT_TRUE(contains(missing, "no such file")) << missing;
  const std::string directory = message_of<InputError>([&] { read_file(dir / ""); });
  EXPECT_TRUE(contains(directory, "directory")) << directory;
}

TEST(Files, reads_a_file_that_states_no_size) {
  EXPECT_FALSE(read_file("/proc/self/status").empty());
}

TEST(Files, refuses_pipes_and_devices_at_once) {
  const TempDir dir;
  const std::string pipe = dir / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/null"), std::string("/dev/zero")}) {
    const std::string words = path + ": is a pipe or a device, not a file";
    EXPECT_EQ(message_of<InputError>([&] { read_file(path); }), words);
    EXPECT_EQ(message_of<InputError>([&] { read_maybe_gzip(path); }), words);
    EXPECT_EQ(message_of<InputError>([&] { require_readable(path); }), words);
  }
}

TEST(Files, inflates_by_content_and_not_by_name) {
  const TempDir dir;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + " lines of text\n";
  const std::string packed = dir.write("packed.obj", gzipped(text));
  const std::string plain = dir.write("plain.obj.gz", text);
  EXPECT_EQ(read_maybe_gzip(packed), bytes_of(text));
  EXPECT_EQ(read_maybe_gzip(plain), bytes_of(text));
}

TEST(Files, inflates_several_members_in_a_row_and_ignores_padding) {
  const TempDir dir;
  const std::string path =
      dir.write("two.gz", gzipped("first ") + gzipped("second") + std::string(9, '\0'));
  EXPECT_EQ(read_maybe_gzip(path), bytes_of("first second"));
}

TEST(Files, refuses_gzip_data_that_is_cut_off_or_damaged) {
  const TempDir dir;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string packed = gzipped(text);
  for (const std::size_t size : {2u, 5u, 10u, 11u, 100u, 5000u, unsigned(packed.size() - 1)}) {
    const std::string path = dir.write("cut.gz", packed.substr(0, size));
    const std::string message = message_of<InputError>([&] { read_maybe_gzip(path); });
    EXPECT_TRUE(contains(message, path) && contains(message, "cut off")) << size << message;
  }
  std::string damaged = packed;
  for (std::size_t i = 100; i < 160; ++i) damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
  const std::string path = dir.write("damaged.gz", damaged);
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_maybe_gzip(path); }), path));
  damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);
  const std::string sum = dir.write("checksum.gz", damaged);
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_maybe_gzip(sum); }), "damaged"));
}

TEST(Files, refuses_gzip_data_that_something_else_follows) {
  const TempDir dir;
  const std::string packed = gzipped("first");
  for (const std::string& rest : {std::string("v 1 2 3\n"), gzipped("second").substr(1)}) {
    const std::string path = dir.write("more.gz", packed + std::string(3, '\0') + rest);
    EXPECT_TRUE(
        contains(message_of<InputError>([&] { read_maybe_gzip(path); }),
                 "extra bytes follow the gzip data, from byte " + std::to_string(packed.size())));
  }
}

TEST(Files, refuses_what_was_packed_to_fill_memory) {
  const TempDir dir;
  const std::string bomb = dir.write("bomb.gz", gzipped(std::string(std::size_t{100} << 20, '\0')));
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_maybe_gzip(bomb); }),
                       "bomb.gz: inflates to more than 200 times its size"));
  const std::string small = dir.write("small.gz", gzipped(std::string(std::size_t{1} << 20, '\0')));
  EXPECT_EQ(read_maybe_gzip(small).size(), std::size_t{1} << 20);
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_maybe_gzip(small, 100 << 10); }),
                       "small.gz: inflates to more than 100.0 KiB"));
}

TEST(Files, leaves_the_old_content_and_no_temporary_when_it_cannot_write) {
  const TempDir dir;
  const std::string nowhere = dir / "missing/a.png";
  const std::string message = message_of<OutputError>([&] {
    write_file_atomically(nowhere, {1, 2, 3});
  });
  EXPECT_TRUE(contains(message, nowhere) && contains(message, "No such file")) << message;
  EXPECT_EQ(dir.entries(), 0u);
  EXPECT_TRUE(contains(message_of<OutputError>([&] { write_file_atomically(dir / "", {1}); }),
                       "directory"));
  EXPECT_THROW(write_file_atomically(dir / std::string(300, 'x'), {1}), OutputError);
  EXPECT_THROW(write_file_atomically("", {1}), OutputError);
  EXPECT_EQ(dir.entries(), 0u);
}

TEST(Files, reports_a_full_disk_by_its_reason) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const std::string message = message_of<OutputError>([] {
    write_file_atomically("/dev/full", {1, 2, 3});
  });
  EXPECT_TRUE(contains(message, "No space left")) << message;
}

TEST(Files, writes_through_to_a_device) {
  write_file_atomically("/dev/null", {1, 2, 3});
  struct stat info;
  ASSERT_EQ(::stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST(Files, keeps_a_symbolic_link_and_the_permissions_of_what_it_replaces) {
  const TempDir dir;
  const std::string path = dir.write("real/a.png", "old"), link = dir / "link.png";
  ::chmod(path.c_str(), 0640);
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
  write_file_atomically(link, bytes_of("new"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(path), bytes_of("new"));
  struct stat info;
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

}  // namespace files_test
}  // namespace ballotcast::detail
