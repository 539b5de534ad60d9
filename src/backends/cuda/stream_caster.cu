// Casts rays on the caller's stream. Also moves a scene's vertices and instances on the device, and
// updates the trees there. All work is only enqueued on the stream, except for reserving memory.
#include <algorithm>

#include "backends/cuda/build_machine.cuh"
#include "backends/cuda/device_scene.cuh"
#include "backends/cuda/stream_caster.hpp"
#include "bvh/layouts/layouts.hpp"
#include "kernels/build/device_tree.hpp"
#include "kernels/build/moving_worlds.hpp"
#include "kernels/pipelines/warp/warp.hpp"

namespace ballotcast::detail {

namespace {

/// A CUDA machine that measures no times, because timing events would have to be on the machine's
/// own stream.
class StreamMachine : public CudaBuildMachine {
 public:
  void stage(const char*) {}
};

/// The depth of trees for which the stacks of casts have room: 42, or somewhat more than the depth
/// of the first tree. Up to 42, shared memory does not limit the number of blocks of pipeline warp
/// that run at once on an H200 (ten blocks of 128 lanes, with 228 KiB).
u32 depth_with_room(u32 depth) { return std::min(kDeepestLevel, std::max(42u, depth + 10u)); }

/// Calls use(nodes, tag of the layout), where `nodes` have the node type of the layout.
template <class Use>
void with_nodes(const LayoutInfo* layout, const NodeBytes* nodes, Use use) {
  dispatch_row(Layouts{}, layout, [&](auto tag) {
    using Node = typename decltype(tag)::type::Node;
    use(reinterpret_cast<Node*>(const_cast<NodeBytes*>(nodes)), tag);
  });
}

/// Vertices that move on the device, and their tree.
class VertexMotion {
 public:
  VertexMotion(const PreparedScene& scene, const BinaryTree& tree, DeviceArrays& arrays)
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
    const u32 deepest = depth_with_room(view.shape.depth);
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

  /// A pointer to device memory.
  const WalkFrame* frame() const { return frame_.data(); }

 private:
  // The cast is safe, because this scene owns the arrays.
  vec3* positions() { return const_cast<vec3*>(arrays_.view.scene.mesh.positions); }
  TriangleRows* rows() { return const_cast<TriangleRows*>(arrays_.view.leaf_triangles); }

  static std::size_t blocks_of(u64 bytes) {
    return (bytes + sizeof(NodeBytes) - 1) / sizeof(NodeBytes);
  }

  /// Calls use(nodes, tag of the layout).
  template <class Use>
  void with_layout(Use use) {
    with_nodes(arrays_.view.layout, arrays_.view.nodes, use);
  }

  StreamMachine machine_;
  DeviceArrays& arrays_;
  const u32 count_, triangles_;
  const u64 node_bytes_;  // size of the first tree's nodes
  DeviceBuffer<vec3> incoming_;
  DeviceBuffer<WalkFrame> frame_;
  DeviceTree<StreamMachine> tree_;
  // Empty before reserve_rebuild(); until then the nodes are in `arrays_`
  DeviceBuffer<NodeBytes> nodes_;
};

/// Instances that move on the device, and the trees over them.
class InstanceMotion {
 public:
  InstanceMotion(const PreparedScene& scene, DeviceArrays& arrays)
      : arrays_(arrays),
        count_(static_cast<u32>(scene.scene->instances.size())),
        incoming_(count_),
        worlds_(machine_, scene.levels.entries, scene.levels.boxes,
                depth_with_room(scene.arrays.shape.depth)) {
    arrays.view.shape.depth = depth_with_room(scene.arrays.shape.depth);
    machine_.reserve_to_join(worlds_.entries(), worlds_.key_bits());
  }

  void set_transforms(const Transform* transforms, cudaStream_t stream) {
    machine_.launch_into(stream);
    check(cudaMemcpyAsync(incoming_.data(), transforms, count_ * sizeof(Transform),
                          cudaMemcpyDefault, stream),
          "set transforms");
    machine_.each<TakeTransforms>("take transforms", count_,
                                  static_cast<const Transform*>(incoming_.data()), instances());
  }

  void follow(cudaStream_t stream) {
    machine_.launch_into(stream);
    SceneArrays& view = arrays_.view;
    with_nodes(view.layout, view.upper_nodes, [&](auto* nodes, auto layout) {
      worlds_.template follow<typename decltype(layout)::type>(
          machine_, instances(), nodes, const_cast<WalkInstance*>(view.walk_instances),
          const_cast<Transform*>(view.walk_to_scene), const_cast<WorldTree*>(view.worlds));
    });
  }

  UnusableInstances unusable(cudaStream_t stream) {
    machine_.launch_into(stream);
    UnusableInstances out{};
    machine_.download(&out, worlds_.unusable(), 1);
    return out;
  }

 private:
  // The cast is safe, because this scene owns the arrays.
  SceneInstance* instances() {
    return const_cast<SceneInstance*>(arrays_.view.scene.instances.list);
  }

  StreamMachine machine_;
  DeviceArrays& arrays_;
  const u32 count_;
  DeviceBuffer<Transform> incoming_;
  MovingWorlds<StreamMachine> worlds_;
};

/// The moving vertices or instances of a scene; shared by all of its casters.
struct Motion {
  std::unique_ptr<VertexMotion> vertices;     // null if no vertex moves
  std::unique_ptr<InstanceMotion> instances;  // null if no instance moves
};

/// The masks of instances; shared by all casters of a scene. Empty until masks are set.
using InstanceMasks = DeviceBuffer<u32>;

class Caster final : public StreamCaster {
 public:
  explicit Caster(const PreparedScene& scene) : scene_(scene) {}
  Caster(const PreparedScene& scene, const BinaryTree* tree)
      : scene_(scene), motion_(std::make_shared<Motion>()) {
    if (tree)
      motion_->vertices = std::make_unique<VertexMotion>(scene, *tree, *scene_.arrays);
    else
      motion_->instances = std::make_unique<InstanceMotion>(scene, *scene_.arrays);
    find_moving();
  }
  Caster(std::shared_ptr<DeviceArrays> arrays, std::shared_ptr<Motion> motion,
         std::shared_ptr<InstanceMasks> masks)
      : scene_(std::move(arrays)), motion_(std::move(motion)), masks_(std::move(masks)) {
    find_moving();
  }

  Caster(const PreparedScene& scene, const DeviceArrays& there, const InstanceMasks& masks)
      : scene_(scene, there) {
    masks_->require(masks.size());
    scene_.machine.copy_within(masks_->data(), static_cast<const u32*>(masks.data()), masks.size());
    scene_.machine.wait();
  }

  std::unique_ptr<StreamCaster> copied(const PreparedScene& scene) const override {
    return std::make_unique<Caster>(scene, *scene_.arrays, *masks_);
  }

  std::unique_ptr<StreamCaster> another_one() const override {
    return std::make_unique<Caster>(scene_.arrays, motion_, masks_);
  }

  void set_vertices(const vec3* vertices, void* stream) override {
    motion_->vertices->set_vertices(vertices, static_cast<cudaStream_t>(stream));
  }
  void refit(void* stream) override { motion_->vertices->refit(static_cast<cudaStream_t>(stream)); }
  void reserve_rebuild(void* stream) override {
    motion_->vertices->reserve_rebuild(static_cast<cudaStream_t>(stream));
  }
  bool can_rebuild() const override { return motion_->vertices->can_rebuild(); }
  void rebuild(void* stream) override {
    motion_->vertices->rebuild(static_cast<cudaStream_t>(stream));
  }
  u32 refused_rebuilds(void* stream) override {
    return motion_->vertices->refused_rebuilds(static_cast<cudaStream_t>(stream));
  }

  void set_transforms(const Transform* transforms, void* stream) override {
    motion_->instances->set_transforms(transforms, static_cast<cudaStream_t>(stream));
  }
  void follow_instances(void* stream) override {
    motion_->instances->follow(static_cast<cudaStream_t>(stream));
  }
  UnusableTransforms unusable_transforms(void* stream) override {
    const UnusableInstances found = motion_->instances->unusable(static_cast<cudaStream_t>(stream));
    return {found.count, ~found.first_inverted};
  }

  void set_masks(const u32* masks, u32 count, void* stream) override {
    masks_->require(count);
    check(cudaMemcpyAsync(masks_->data(), masks, count * sizeof(u32), cudaMemcpyDefault,
                          static_cast<cudaStream_t>(stream)),
          "set masks");
  }

  void answer(const Query& query, void* stream) override {
    scene_on(stream);
    Query asked = query;
    asked.filter.instance_masks = masks_->data();
    asked.choice = &choice_;
    answer_on_device(scene_, asked, [&](const Query& cast) {
      return scene_.moving ? cast_moving(cast) : cast_on_device(scene_, cast);
    });
  }

  SceneForPrograms for_programs() const override {
    return {scene_.arrays->view, masks_->data(), scene_.moving};
  }

  DeviceScene& scene_on(void* stream) override {
    scene_.machine.launch_into(static_cast<cudaStream_t>(stream));
    return scene_;
  }

 private:
  void find_moving() {
    if (motion_ && motion_->vertices) scene_.moving = motion_->vertices->frame();
  }

  CastCounts cast_moving(const Query& cast) {
    CastCounts counts;
    with_moving_view(scene_, cast, [&](const auto& view) {
      using Layout = typename std::decay_t<decltype(view)>::LayoutType;
      const RayBatch<Layout> batch{
          cast.items_as<Ray>(),         cast.results_as<Hit>(), nullptr, nullptr,
          static_cast<u32>(cast.count), kind_of(cast)};
      counts = Warp::run<Layout, void>(scene_.machine, view, batch, choice_.plan());
    });
    return counts;
  }

  DeviceScene scene_;
  std::shared_ptr<Motion> motion_;  // null if nothing moves
  std::shared_ptr<InstanceMasks> masks_ = std::make_shared<InstanceMasks>();
  const CastChoice choice_{CastOptions{std::string(Warp::info.name)}};
};

}  // namespace

std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene) {
  return std::make_unique<Caster>(scene);
}

std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree* tree) {
  return std::make_unique<Caster>(scene, tree);
}

}  // namespace ballotcast::detail
