#include <algorithm>

#include "backends/cuda/staging.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// A piece of a copy: where it begins, and how long it is.
struct Piece {
  std::size_t first, bytes;
};

Piece piece_of(std::size_t k, std::size_t size, std::size_t all) {
  return {k * size, std::min(size, all - k * size)};
}

}  // namespace

bool Staging::has_slots() {
  try {
    if (!slots_) slots_ = std::make_unique<std::array<Slot, kSlots>>();
    return true;
  } catch (const OutOfDeviceMemory&) {
    return false;
  }
}

void Staging::upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                     const std::string& what) {
  if (!has_slots())
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), what);
  for (std::size_t k = 0; k * kBytes < bytes; ++k) {
    const Piece piece = piece_of(k, kBytes, bytes);
    Slot& its = slot(k);
    check(cudaEventSynchronize(its.done), what);  // of the piece that was there before
    copy_bytes(its.memory.data()->bytes, static_cast<const std::byte*>(from) + piece.first,
               piece.bytes);
    check(cudaMemcpyAsync(static_cast<std::byte*>(to) + piece.first, its.memory.data()->bytes,
                          piece.bytes, cudaMemcpyHostToDevice, stream),
          what);
    check(cudaEventRecord(its.done, stream), what);
  }
}

void Staging::download(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                       const std::string& what) {
  if (!has_slots())
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), what);
  const std::size_t pieces = (bytes + kBytes - 1u) / kBytes;
  const auto begin = [&](std::size_t k) {
    if (k >= pieces) return;
    const Piece piece = piece_of(k, kBytes, bytes);
    Slot& its = slot(k);
    check(
        cudaMemcpyAsync(its.memory.data()->bytes, static_cast<const std::byte*>(from) + piece.first,
                        piece.bytes, cudaMemcpyDeviceToHost, stream),
        what);
    check(cudaEventRecord(its.done, stream), what);
  };
  for (std::size_t k = 0; k < kSlots; ++k) begin(k);
  for (std::size_t k = 0; k < pieces; ++k) {
    const Piece piece = piece_of(k, kBytes, bytes);
    Slot& its = slot(k);
    check(cudaEventSynchronize(its.done), what);
    copy_bytes(static_cast<std::byte*>(to) + piece.first, its.memory.data()->bytes, piece.bytes);
    begin(k + kSlots);
  }
}

}  // namespace ballotcast::detail
