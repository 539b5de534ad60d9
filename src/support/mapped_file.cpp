#include "support/mapped_file.hpp"

#include <sys/mman.h>

#include "support/open_file.hpp"

namespace ballotcast::detail {

MappedFile::MappedFile(const std::string& path) {
  struct stat info;
  const Descriptor in = open_input(path, info);
  size_ = static_cast<std::size_t>(info.st_size);
  written_ns_ = in_nanoseconds(info.st_mtim);
  changed_ns_ = in_nanoseconds(info.st_ctim);
  if (size_ == 0) return;
  void* const place = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, in.get(), 0);
  if (place == MAP_FAILED) refuse_input(path, "can't be mapped into memory: " + reason());
  data_ = static_cast<const std::byte*>(place);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace ballotcast::detail
