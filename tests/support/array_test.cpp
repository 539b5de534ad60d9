#include "support/array.hpp"

#include <gtest/gtest.h>

namespace ballotcast::detail {
namespace array_test {

/// Owns elements that an Array can borrow.
struct Lender {
  std::shared_ptr<std::vector<int>> elements =
      std::make_shared<std::vector<int>>(std::vector<int>{1, 2, 3});
  Array<int> view() const { return Array<int>::view(elements->data(), 3, elements); }
};

TEST(Array, a_view_reads_the_elements_where_they_lie_and_keeps_them_alive) {
  auto lender = std::make_unique<Lender>();
  const int* const place = lender->elements->data();
  const Array<int> view = lender->view();
  lender.reset();
  EXPECT_TRUE(view.is_view());
  EXPECT_EQ(view.data(), place);
  EXPECT_EQ(view, (Array<int>{1, 2, 3}));
}

TEST(Array, copies_of_a_view_are_views_and_copies_of_elements_are_apart) {
  const Lender lender;
  const Array<int> view = lender.view(), again = view;
  EXPECT_TRUE(again.is_view());
  EXPECT_EQ(again.data(), view.data());
  const Array<int> own{1, 2, 3}, copy = own;
  EXPECT_FALSE(copy.is_view());
  EXPECT_NE(copy.data(), own.data());
  EXPECT_EQ(copy, own);
}

TEST(Array, a_changed_view_owns_its_elements_and_leaves_those_of_the_lender) {
  const Lender lender;
  Array<int> changed = lender.view(), grown = lender.view();
  changed[1] = 7;
  grown.push_back(4);
  EXPECT_EQ(changed, (Array<int>{1, 7, 3}));
  EXPECT_EQ(grown, (Array<int>{1, 2, 3, 4}));
  EXPECT_FALSE(changed.is_view());
  EXPECT_FALSE(grown.is_view());
  EXPECT_EQ(*lender.elements, (std::vector<int>{1, 2, 3}));
}

TEST(Array, a_moved_array_is_empty) {
  const Lender lender;
  Array<int> own{1, 2}, view = lender.view();
  const Array<int> a = std::move(own), b = std::move(view);
  EXPECT_EQ(a, (Array<int>{1, 2}));
  EXPECT_TRUE(b.is_view());
  EXPECT_TRUE(own.empty());   // NOLINT: tests the state after the move
  EXPECT_TRUE(view.empty());  // NOLINT
  EXPECT_FALSE(view.is_view());
}

TEST(Array, made_unset_owns_its_elements_where_they_are_until_it_grows) {
  Array<int> array = Array<int>::unset(3);
  const int* const place = std::as_const(array).data();
  for (int i = 0; i < 3; ++i) array[static_cast<std::size_t>(i)] = i + 1;
  EXPECT_FALSE(array.is_view());
  EXPECT_EQ(std::as_const(array).data(), place);
  const Array<int> copy = array;
  array.front() = 7;
  EXPECT_EQ(copy, (Array<int>{1, 2, 3}));
  Array<int> moved = std::move(array);
  EXPECT_TRUE(array.empty());  // NOLINT: tests the state after the move
  EXPECT_EQ(std::as_const(moved).data(), place);
  moved.push_back(4);
  EXPECT_EQ(moved, (Array<int>{7, 2, 3, 4}));
  moved = Array<int>::unset(0);
  EXPECT_TRUE(moved.empty());
  moved.resize(2);
  EXPECT_EQ(moved, (Array<int>{0, 0}));
}

TEST(Array, assignment_to_itself_changes_nothing) {
  Array<int> array{1, 2};
  const Array<int>& same = array;
  array = same;
  EXPECT_EQ(array, (Array<int>{1, 2}));
}

TEST(Array, grows_and_shrinks_as_a_vector_does) {
  Array<int> array;
  array.emplace_back(1);
  const int more[] = {2, 3};
  array.insert(array.end(), std::begin(more), std::end(more));
  array.resize(5, 9);
  EXPECT_EQ(array, (Array<int>{1, 2, 3, 9, 9}));
  array.pop_back();
  EXPECT_EQ(array.size(), 4u);
  EXPECT_EQ(array.back(), 9);
  array.clear();
  EXPECT_TRUE(array.empty());
}

}  // namespace array_test
}  // namespace ballotcast::detail
