#include <algorithm>

#include "backends/cuda/build_machine.cuh"
#include "backends/cuda/resident.cuh"
#include "backends/cuda/stream_caster.hpp"
#include "backends/cuda/view.cuh"
#include "bvh/layouts/table.hpp"
#include "kernels/build/device_tree.hpp"
#include "kernels/pipelines/warp/warp.hpp"

namespace ballotcast::detail {

namespace {

/// Takes no times, because events are for the machine's own stream.
class StreamMachine : public CudaBuildMachine {
 public:
  void stage(const char*) {}
};

/// The stacks of casts have room for trees of this depth, or for somewhat deeper trees than the
/// first one. Up to this depth, shared memory does not limit how many blocks of pipeline warp run
/// at once on an H200 (ten blocks of 128 lanes, of 228 KiB).
constexpr u32 kUsualDepth = 42, kSomewhatDeeper = 10;

/// The part of a scene on the device that moves there.
class DeviceMotion {
 public:
  DeviceMotion(const PreparedScene& scene, const BinaryTree& tree, DeviceArrays& arrays)
      : arrays_(arrays),
        count_(static_cast<u32>(scene.scene->mesh.positions.size())),
        triangles_(static_cast<u32>(tree.order.size())),
        node_bytes_(scene.encoded.bytes),
        incoming_(count_),
        frame_(1),
        tree_(machine_, tree) {
    const WalkFrame frame{scene.encoded.shape, scene.view.magnitude};
    machine_.copy_in(frame_.data(), &frame, 1);
  }

  void set_vertices(const vec3* vertices, cudaStream_t stream) {
    machine_.launch_into(stream);
    check(cudaMemcpyAsync(incoming_.data(), vertices, count_ * sizeof(vec3), cudaMemcpyDefault,
                          stream),
          "set vertices");
    machine_.each<TakeVertices>("take vertices", count_, static_cast<const vec3*>(incoming_.data()),
                                positions());
  }

  void refit(cudaStream_t stream) {
    machine_.launch_into(stream);
    with_layout([&](auto* nodes, auto layout) {
      tree_.template refit<typename decltype(layout)::type>(
          machine_, positions(), arrays_.view.scene.mesh.triangles, nodes, rows(), frame_.data());
    });
  }

  void reserve_rebuild(cudaStream_t stream) {
    if (tree_.can_rebuild()) return;
    machine_.launch_into(stream);
    SceneArrays& view = arrays_.view;
    const u32 deepest =
        std::min(kDeepestLevel, std::max(kUsualDepth, view.shape.depth + kSomewhatDeeper));
    DeviceBuffer<NodeBytes> nodes;
    with_layout(
        [&](auto* node, auto) { nodes.require(blocks_of(u64{triangles_} * sizeof(*node))); });
    if (node_bytes_ > 0)
      check(
          cudaMemcpyAsync(nodes.data(), view.nodes, node_bytes_, cudaMemcpyDeviceToDevice, stream),
          "move nodes");
    machine_.reserve_to_join(triangles_);
    tree_.reserve(machine_, deepest);
    check(cudaStreamSynchronize(stream), "take memory for rebuilding");
    const auto old = std::find_if(arrays_.owned.begin(), arrays_.owned.end(), [&](const auto& own) {
      return own.data() == reinterpret_cast<const std::byte*>(view.nodes);
    });
    if (old != arrays_.owned.end()) *old = {};
    nodes_ = std::move(nodes);
    view.nodes = nodes_.data();
    view.shape.depth = deepest;
  }

  bool can_rebuild() const { return tree_.can_rebuild(); }

  void rebuild(cudaStream_t stream) {
    machine_.launch_into(stream);
    with_layout([&](auto* nodes, auto layout) {
      tree_.template rebuild<typename decltype(layout)::type>(
          machine_, positions(), arrays_.view.scene.mesh.triangles, nodes, rows(), frame_.data());
    });
  }

  u32 refused_rebuilds(cudaStream_t stream) {
    machine_.launch_into(stream);
    TreeState state{};
    machine_.download(&state, tree_.state(), 1);
    return state.refused;
  }

  /// In the memory of the device.
  const WalkFrame* frame() const { return frame_.data(); }

 private:
  // The arrays are this scene's own.
  vec3* positions() { return const_cast<vec3*>(arrays_.view.scene.mesh.positions); }
  TriangleRows* rows() { return const_cast<TriangleRows*>(arrays_.view.leaf_triangles); }

  static std::size_t blocks_of(u64 bytes) {
    return (bytes + sizeof(NodeBytes) - 1) / sizeof(NodeBytes);
  }

  /// Calls use(nodes, tag of the layout).
  template <class Use>
  void with_layout(Use use) {
    dispatch_row(Layouts{}, arrays_.view.layout, [&](auto tag) {
      using Node = typename decltype(tag)::type::Node;
      use(reinterpret_cast<Node*>(const_cast<NodeBytes*>(arrays_.view.nodes)), tag);
    });
  }

  StreamMachine machine_;
  DeviceArrays& arrays_;
  const u32 count_, triangles_;
  const u64 node_bytes_;  // of the first tree
  DeviceBuffer<vec3> incoming_;
  DeviceBuffer<WalkFrame> frame_;
  DeviceTree<StreamMachine> tree_;
  DeviceBuffer<NodeBytes> nodes_;  // once there is room for trees of any size
};

class Caster final : public StreamCaster {
 public:
  explicit Caster(const PreparedScene& scene) : scene_(scene) {}
  Caster(const PreparedScene& scene, const BinaryTree& tree)
      : scene_(scene), motion_(std::make_shared<DeviceMotion>(scene, tree, *scene_.arrays)) {}
  Caster(std::shared_ptr<DeviceArrays> arrays, std::shared_ptr<DeviceMotion> motion)
      : scene_(std::move(arrays)), motion_(std::move(motion)) {}

  std::unique_ptr<StreamCaster> another_one() const override {
    return std::make_unique<Caster>(scene_.arrays, motion_);
  }

  void set_vertices(const vec3* vertices, void* stream) override {
    motion_->set_vertices(vertices, static_cast<cudaStream_t>(stream));
  }

  void refit(void* stream) override { motion_->refit(static_cast<cudaStream_t>(stream)); }

  void reserve_rebuild(void* stream) override {
    motion_->reserve_rebuild(static_cast<cudaStream_t>(stream));
  }
  bool can_rebuild() const override { return motion_->can_rebuild(); }
  void rebuild(void* stream) override { motion_->rebuild(static_cast<cudaStream_t>(stream)); }
  u32 refused_rebuilds(void* stream) override {
    return motion_->refused_rebuilds(static_cast<cudaStream_t>(stream));
  }

  void cast(RayKind kind, const Ray* rays, Hit* hits, u32 count, void* stream) override {
    scene_.machine.launch_into(static_cast<cudaStream_t>(stream));
    if (!motion_) {
      cast_on_device(scene_, {kind, rays, hits, nullptr, count}, choice_);
      return;
    }
    with_view(scene_.arrays->view, [&](const auto& still) {
      using Layout = typename std::decay_t<decltype(still)>::LayoutType;
      const MovingTraceView<Layout> view{still, motion_->frame()};
      const RayBatch<Layout> batch{rays, hits, nullptr, nullptr, count, kind};
      Warp::run<Layout, void>(scene_.machine, view, batch, choice_.plan());
    });
  }

 private:
  DeviceScene scene_;
  std::shared_ptr<DeviceMotion> motion_;  // null if nothing moves
  const CastChoice choice_{CastOptions{std::string(Warp::info.name)}};
};

}  // namespace

std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene) {
  return std::make_unique<Caster>(scene);
}

std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree& tree) {
  return std::make_unique<Caster>(scene, tree);
}

}  // namespace ballotcast::detail
