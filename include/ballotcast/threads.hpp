// The number of CPU threads that the library uses, and ending its work early.
#pragma once

#include <cstdint>
#include <functional>

#include "ballotcast/api.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast {

/// Runs `work`, which must not be empty. Until it returns, the library uses at most `threads`
/// threads in the whole process, for other callers too; of several limits the smallest counts. 0
/// sets no limit: all cores are used. No result depends on the number. An exception of `work`
/// reaches the caller.
BALLOTCAST_API void with_threads(std::uint32_t threads, const std::function<void()>& work);

/// Thrown by work that is ended early because the caller of stoppable() wants that.
class BALLOTCAST_API Stopped : public Error {
 public:
  Stopped() : Error("stopped, as the caller has asked for") {}
};

/// Runs `work`. While the library works in it, `wants_stop` is called about every 50 ms, in this
/// thread. Once it returns true, `work` ends with the exception Stopped, on the CPU within about
/// 0.1 s. Neither function may be empty. A scene or renderer that was being made does not exist
/// then, and results are incomplete; a renderer can be used as before. Renderer::set_vertices,
/// set_transforms and follow are never ended early.
BALLOTCAST_API void stoppable(const std::function<bool()>& wants_stop,
                              const std::function<void()>& work);

}  // namespace ballotcast
