// Returns memory to the system while the array that owns it still exists. Otherwise builds would
// hold several large arrays at the same time, of which only parts are still needed.
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

/// Returns to the system the whole pages of memory whose content is no longer needed. Until these
/// pages are written to again, their content is undefined.
inline void give_back_pages(void* from, std::size_t bytes) {
#if defined(MADV_DONTNEED)
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 16;  // no system has larger regular pages
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t first = (begin + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (begin + bytes) & ~(kPage - 1);
  if (first < end) (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
#else
  (void)from, (void)bytes;
#endif
}

/// Returns freed memory to the system. The C library keeps freed arrays of up to 32 MB for later
/// allocations.
inline void give_back_freed() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

/// Frees a buffer that is no longer needed. On a GPU this does nothing, because freeing would wait
/// for the device.
template <class Buffer>
void drop(Buffer&) {}
template <class T>
void drop(std::vector<T>& buffer) {
  std::vector<T>().swap(buffer);
}

}  // namespace ballotcast::detail
