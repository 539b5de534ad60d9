// A reference to a function object that has another owner, like std::function_ref of C++26.
#pragma once

#include <type_traits>
#include <utility>

namespace ballotcast::detail {

template <class Signature>
class FunctionRef;

/// A reference to a function object, which must outlive the reference. A parameter of this type
/// accepts any function, and the code that calls it is compiled only once. A call costs as much as
/// a call through a pointer.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Function,
            class = std::enable_if_t<!std::is_same_v<std::decay_t<Function>, FunctionRef>>>
  FunctionRef(const Function& function)
      : function_(&function), call_([](const void* owned, Arguments... arguments) -> Result {
          const Function& call = *static_cast<const Function*>(owned);
          if constexpr (std::is_void_v<Result>)
            static_cast<void>(call(std::forward<Arguments>(arguments)...));
          else
            return call(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(function_, std::forward<Arguments>(arguments)...);
  }

 private:
  const void* function_;
  Result (*call_)(const void* owned, Arguments... arguments);
};

}  // namespace ballotcast::detail
