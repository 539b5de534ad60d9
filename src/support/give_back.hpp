// Gives memory back to the system while its owner still exists. Otherwise builds would hold several
// large arrays at the same time, each of which is needed only in part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace ballotcast::detail {

/// Gives back the whole pages of memory whose content is not needed any more. Until they are
/// written to again, their content is undefined.
inline void give_back_pages(void* from, std::size_t bytes) {
#if defined(MADV_DONTNEED)
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 16;  // no system has larger small pages
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t first = (begin + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (begin + bytes) & ~(kPage - 1);
  if (first < end) (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
#else
  (void)from, (void)bytes;
#endif
}

/// Gives back memory that is free. The C library keeps freed arrays of up to 32 MB for the next
/// ones.
inline void give_back_freed() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

/// Frees a buffer that is not needed any more. Only on the host: a GPU would have to wait.
template <class Buffer>
void drop(Buffer&) {}
template <class T>
void drop(std::vector<T>& buffer) {
  std::vector<T>().swap(buffer);
}

}  // namespace ballotcast::detail
