// Tests `bench builds`: its results, and that no time is shown for a wrong tree.
#include "bench/builds/builds.hpp"

#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "bench/rays/peer_casters.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace builds_test {

constexpr const char* kScene = BALLOTCAST_SOURCE_DIR "/scenes/cornell-box.obj";

const BackendInfo& device(const char* name) { return *choose_backend(name).backend; }

BuildsRequest small_request() {
  BuildsRequest request;
  request.scenes = {kScene};
  request.width = 16;
  request.height = 9;
  return request;
}

double number(const Row& row, const std::string& key) {
  const Value* value = find(row.found, key);
  if (value == nullptr) throw InputError("no " + key);
  return std::get<double>(*value);
}

std::string text(const Values& values, const std::string& key) {
  const Value* value = find(values, key);
  return value == nullptr ? "" : in_words(*value);
}

TEST(BenchBuilds, measures_every_default_builder_on_the_cpu) {
  BuildsRequest request = small_request();
  u64 done = 0, total = 0;
  request.progress = [&](u64 d, u64 t) {
    done = d;
    total = t;
  };
  const Results results = bench_builds(request, device("cpu"));
  ASSERT_EQ(results.rows.size(), kBuildersToMeasure.size());
  EXPECT_EQ(done, total);
  EXPECT_EQ(total, results.rows.size());
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const Row& row = results.rows[i];
    EXPECT_EQ(text(row.axes, "builder"), kBuildersToMeasure[i]);
    EXPECT_EQ(row.verdict, Verdict::right) << row.why;
    ASSERT_TRUE(row.timing.has_value());
    EXPECT_EQ(row.items, 32u);
    EXPECT_EQ(text(row.found, "built_on"), "host");
    EXPECT_GT(number(row, "sah"), 1.0);
    EXPECT_GT(number(row, "nodes_per_ray"), 1.0);
    EXPECT_GT(number(row, "build_ms"), 0.0);
    EXPECT_GT(number(row, "encode_ms"), 0.0);
    EXPECT_GE(number(row, "largest_of_32"), number(row, "nodes_per_ray"));
    double logarithms = 0.0;
    for (const std::string_view workload : kWorkloadsOfTrees)
      logarithms += std::log(number(row, std::string(workload) + "_mrays_per_s"));
    const double mean = std::exp(logarithms / kWorkloadsOfTrees.size());
    EXPECT_NEAR(number(row, "mrays_per_s"), mean, 1e-9 * mean);
    EXPECT_EQ(text(row.found, "tree_hash").size(), 16u);
    EXPECT_EQ(find(row.found, "twin_ms"), nullptr);
  }
  const auto of_sbvh = std::find(kBuildersToMeasure.begin(), kBuildersToMeasure.end(), "sbvh");
  const Row& reference = results.rows[of_sbvh - kBuildersToMeasure.begin()];
  const double sbvh = number(reference, "mrays_per_s");
  EXPECT_EQ(number(reference, "trace_over_sbvh"), 1.0);
  EXPECT_EQ(number(results.rows[0], "trace_over_sbvh"),
            number(results.rows[0], "mrays_per_s") / sbvh);
}

TEST(BenchBuilds, finds_the_same_trees_without_times_in_emulation) {
  BuildsRequest request = small_request();
  request.builders = {"ploc", "ploc-reinserted/2"};
  request.layouts = {"bvh2", "grid2"};
  const Results emulated = bench_builds(request, device("emulated"));
  const Results on_cpu = bench_builds(request, device("cpu"));
  ASSERT_EQ(emulated.rows.size(), 4u);
  for (std::size_t i = 0; i < emulated.rows.size(); ++i) {
    const Row& row = emulated.rows[i];
    EXPECT_EQ(row.verdict, Verdict::right) << row.why;
    EXPECT_FALSE(row.timing.has_value());
    EXPECT_EQ(find(row.found, "mrays_per_s"), nullptr);
    EXPECT_EQ(row.axes, on_cpu.rows[i].axes);
    for (const char* key : {"tree_hash", "sah", "depth", "nodes_per_ray", "tris_per_ray"})
      EXPECT_EQ(text(row.found, key), text(on_cpu.rows[i].found, key)) << key;
  }
  EXPECT_EQ(text(emulated.rows[2].axes, "builder"), "ploc-reinserted/2");
}

TEST(BenchBuilds, has_the_size_of_generated_scenes_as_an_axis) {
  BuildsRequest request = small_request();
  request.scenes.clear();
  request.triangles = {2048, 8192, 2048};
  request.builders = {"ploc", "fast"};
  const Results results = bench_builds(request, device("cpu"));
  ASSERT_EQ(results.rows.size(), 2u);
  for (const Row& row : results.rows) EXPECT_EQ(text(row.axes, "triangles"), in_words(row.items));
  EXPECT_EQ(results.notes.size(), 2u);
  EXPECT_EQ(find(results.rows[0].found, "trace_over_sbvh"), nullptr);
}

/// A machine that builds trees as the host does, and reports two stages of 1 and 2 ms. It can be
/// made to return one wrong tree.
class ModelMachine final : public TreeBuilder {
 public:
  enum class Spoilt { nothing, node, box };

  ModelMachine(const Mesh& mesh, const Copies& copies, Spoilt spoilt, bool whole)
      : mesh_(mesh), copies_(copies), spoilt_(spoilt), whole_(whole) {}

  std::vector<StageTime> build(const Builder& builder, const LayoutInfo& layout) override {
    EXPECT_TRUE(builder.info->on_machines);
    tree_ = builder.build(mesh_, copies_);
    encoded_ = encode(&layout, tree_, mesh_);
    if (spoilt_ == Spoilt::node) encoded_.nodes[1].bytes[6] ^= std::byte{1};
    if (spoilt_ == Spoilt::box) tree_.nodes[1].box.low.x += 100.0f;
    return {{"join", 1.0}, {"nodes", 2.0}};
  }
  bool is_whole() const override { return whole_; }
  u64 bytes_to_build(const Builder&) const override { return 4096; }
  BinaryTree tree() override { return tree_; }
  EncodedBvh encoded() override { return encoded_; }

 private:
  const Mesh& mesh_;
  const Copies& copies_;
  Spoilt spoilt_;
  bool whole_;
  BinaryTree tree_;
  EncodedBvh encoded_;
};

using Spoilt = ModelMachine::Spoilt;

template <Spoilt kSpoilt, bool kWhole = true>
BackendInfo machine() {
  BackendInfo machine = device("cpu");
  machine.name = "model";
  machine.tree_builder = [](const Mesh& mesh,
                            const Copies& copies) -> std::unique_ptr<TreeBuilder> {
    return std::make_unique<ModelMachine>(mesh, copies, kSpoilt, kWhole);
  };
  return machine;
}

TEST(BenchBuilds, times_the_stages_of_a_machine_that_builds) {
  BuildsRequest request = small_request();
  request.builders = {"fast", "balanced", "sbvh"};
  const Results results = bench_builds(request, machine<Spoilt::nothing>());
  ASSERT_EQ(results.rows.size(), 3u);
  EXPECT_EQ(text(results.rows[1].axes, "builder"), "ploc-presplit") << "what balanced means there";
  for (std::size_t i = 0; i < 2; ++i) {
    const Row& row = results.rows[i];
    EXPECT_EQ(row.verdict, Verdict::right) << row.why;
    EXPECT_EQ(text(row.found, "built_on"), "model");
    ASSERT_TRUE(row.timing.has_value());
    EXPECT_EQ(row.timing->median_ms, 3.0);
    EXPECT_EQ(number(row, "join_ms"), 1.0);
    EXPECT_EQ(number(row, "nodes_ms"), 2.0);
    EXPECT_GT(number(row, "twin_ms"), 0.0);
    EXPECT_EQ(text(row.found, "building_bytes"), "4096");
  }
  EXPECT_EQ(text(results.rows[2].found, "built_on"), "host");
  EXPECT_EQ(find(results.rows[2].found, "twin_ms"), nullptr);
}

TEST(BenchBuilds, times_the_host_where_a_machine_leaves_trees_to_it) {
  BuildsRequest request = small_request();
  request.builders = {"ploc"};
  const Results results = bench_builds(request, machine<Spoilt::nothing, false>());
  EXPECT_EQ(text(results.rows[0].found, "built_on"), "host");
  EXPECT_GT(number(results.rows[0], "build_ms"), 0.0);
}

TEST(BenchBuilds, gives_no_time_to_a_wrong_tree) {
  BuildsRequest request = small_request();
  request.builders = {"ploc", "sbvh"};
  for (const auto& [spoilt, words] :
       {std::pair{machine<Spoilt::node>(), "its nodes differ from the host's at byte 70 of "},
        {machine<Spoilt::box>(), "the tree is not sound: "}}) {
    const Results results = bench_builds(request, spoilt);
    ASSERT_EQ(results.rows.size(), 2u);
    const Row& wrong = results.rows[0];
    EXPECT_EQ(wrong.verdict, Verdict::wrong);
    EXPECT_TRUE(wrong.why.starts_with(words)) << wrong.why;
    EXPECT_FALSE(wrong.timing.has_value());
    EXPECT_TRUE(wrong.found.empty());
    EXPECT_EQ(results.rows[1].verdict, Verdict::right) << "the host builds it";
  }
}

TEST(BenchBuilds, gives_no_time_to_a_tree_through_which_rays_miss) {
  BackendInfo lossy = device("cpu");
  lossy.upload = [](const PreparedScene& scene) {
    // A tree of the same shape in another place: most rays miss it.
    static std::vector<std::shared_ptr<const PreparedScene>> kept;
    auto moved = std::make_shared<SceneData>(*scene.scene);
    for (vec3& p : moved->mesh.positions) p.x += 1000.0f;
    kept.push_back(prepare(moved));
    return device("cpu").upload(*kept.back());
  };
  BuildsRequest request = small_request();
  request.builders = {"ploc"};
  const Row row = bench_builds(request, lossy).rows.at(0);
  EXPECT_EQ(row.verdict, Verdict::wrong);
  EXPECT_TRUE(row.why.starts_with("primary rays that disagree with the reference: expected 0"))
      << row.why;
  EXPECT_FALSE(row.timing.has_value());
}

TEST(TreeCheck, tells_the_first_difference_to_the_tree_of_the_host) {
  const Mesh mesh = testing::soup(300, 1);
  const BinaryTree tree = build_ploc(mesh);
  const EncodedBvh expected = encode(nullptr, tree, mesh);
  const auto defect = [&](auto change) {
    EncodedBvh got = expected;
    change(got);
    return defect_of_built(tree, got, expected, mesh, {});
  };
  EXPECT_EQ(defect([](EncodedBvh&) {}), "");
  EXPECT_EQ(defect([](EncodedBvh& e) { e.nodes[0].bytes[3] ^= std::byte{4}; }),
            "its nodes differ from the host's at byte 3 of " + std::to_string(expected.bytes));
  EXPECT_EQ(defect([](EncodedBvh& e) { e.bytes -= 32; }),
            "its nodes take " + std::to_string(expected.bytes - 32) + " bytes, the host's " +
                std::to_string(expected.bytes));
  EXPECT_EQ(defect([](EncodedBvh& e) { e.triangles[1] = e.triangles[0]; }),
            "its triangles differ from the host's at byte 48 of 14400");
  EXPECT_EQ(defect([](EncodedBvh& e) { ++e.shape.depth; }),
            "its root, depth and grid differ from the host's at byte 28 of 32");
  BinaryTree cut = tree;
  cut.order[0] = cut.order[1];
  EXPECT_TRUE(
      defect_of_built(cut, expected, expected, mesh, {}).starts_with("the tree is not sound: "));
}

TEST(BuildTimes, are_sums_of_stages_without_the_warm_up) {
  u32 calls = 0;
  const BuildTimes times = time_build(
      [&]() -> std::vector<StageTime> {
        const bool warm = ++calls > 3;
        return {{"sort", warm ? 2.0 : 50.0}, {"join", warm ? 5.0 : 50.0}};
      },
      3);
  EXPECT_EQ(times.whole.median_ms, 7.0);
  EXPECT_EQ(times.whole.runs + 3, calls);
  EXPECT_EQ(times.stages, (Values{{"sort_ms", 2.0}, {"join_ms", 5.0}}));
}

TEST(BenchBuilds, measures_each_mode_of_a_peer) {
  BuildsRequest request = small_request();
  request.builders = {"ploc"};
  request.peers = {"embree"};
  if (!peers()[0].absent().empty()) {
    EXPECT_THROW(bench_builds(request, device("cpu")), UsageError);
    return;
  }
  const Results results = bench_builds(request, device("cpu"));
  ASSERT_EQ(results.rows.size(), 1u + peers()[0].modes().size());
  EXPECT_EQ(text(results.rows[1].axes, "builder"), "embree/low");
  EXPECT_EQ(text(results.rows[3].axes, "builder"), "embree/high");
  EXPECT_EQ(text(results.rows[6].axes, "builder"), "embree/robust");
  for (std::size_t i = 1; i < results.rows.size(); ++i) {
    ASSERT_TRUE(results.rows[i].timing.has_value());
    EXPECT_GT(number(results.rows[i], "mrays_per_s"), 0.0);
    EXPECT_LT(number(results.rows[i], "disagree_ppm"), 5000.0);
  }
}

TEST(BenchBuilds, refuses_what_does_not_exist) {
  const auto refused = [](auto change) {
    BuildsRequest request = small_request();
    change(request);
    EXPECT_THROW(bench_builds(request, device("cpu")), UsageError);
  };
  refused([](BuildsRequest& r) { r.scenes.clear(); });
  refused([](BuildsRequest& r) { r.layouts = {"bvh9"}; });
  refused([](BuildsRequest& r) { r.builders = {"quick"}; });
  refused([](BuildsRequest& r) { r.builders = {"ploc/4"}; });
  refused([](BuildsRequest& r) { r.peers = {"nobody"}; });
  refused([](BuildsRequest& r) { r.width = r.height = 16384; });
  BuildsRequest missing = small_request();
  missing.scenes.emplace_back("none.obj");
  EXPECT_THROW(bench_builds(missing, device("cpu")), InputError);
}

}  // namespace builds_test
}  // namespace ballotcast::detail
