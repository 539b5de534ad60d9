#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <vector>

#include "support/processes/processes.hpp"

namespace ballotcast::detail {
namespace memory_of_processes_test {

TEST(LentMemory, is_read_by_another_process) {
  std::vector<int> numbers(100000);
  // The child process has a copy of all memory from before the fork. So the numbers are written
  // later.
  int ready[2] = {};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ready[1]);
    char word = 0;
    if (::read(ready[0], &word, 1) != 1) ::_exit(1);
    std::vector<int> got(numbers.size());
    LentMemory lent = lend_host_memory(numbers.data());
    lent.process = ::getppid();
    try {
      read_lent_host_memory(lent, got.data(), got.size() * sizeof(int));
    } catch (const LentMemoryLost&) {
      ::_exit(77);
    }
    ::_exit(got[0] == 7 && got.back() == 100006 ? 0 : 2);
  }
  std::iota(numbers.begin(), numbers.end(), 7);
  ASSERT_EQ(::write(ready[1], "x", 1), 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(ready[0]);
  ::close(ready[1]);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "this system forbids it";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(LentMemory, of_a_process_that_has_ended_is_told_with_its_number) {
  int number = 0;
  LentMemory lent = lend_host_memory(&number);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  lent.process = child;
  try {
    read_lent_host_memory(lent, &number, sizeof number);
    FAIL() << "read from a process that is not there";
  } catch (const LentMemoryLost& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(child)), std::string::npos);
  }
}

TEST(LentMemory, of_a_gpu_is_refused_by_the_host) {
  LentMemory lent;
  lent.kind = LentMemory::Kind::gpu;
  int number = 0;
  EXPECT_THROW(read_lent_host_memory(lent, &number, sizeof number), LentMemoryLost);
}

}  // namespace memory_of_processes_test
}  // namespace ballotcast::detail
