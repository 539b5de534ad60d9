#include "checks/soak/random_case.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "backends/pack/packed_tree.hpp"
#include "helpers/cast_options.hpp"
#include "helpers/curvilinear_cameras.hpp"
#include "helpers/instances.hpp"
#include "render/settings.hpp"
#include "scene/pack/packed_scene.hpp"

namespace ballotcast::detail::soak {

namespace {

template <class T>
const T& one_of(const std::vector<T>& choices, testing::Random& random) {
  return choices[random.below(static_cast<u32>(choices.size()))];
}

template <class T, std::size_t kCount>
T one_of(const T (&choices)[kCount], testing::Random& random) {
  return choices[random.below(static_cast<u32>(kCount))];
}

Mesh random_mesh(testing::Random& random) {
  switch (random.below(4)) {
    case 0:
      return testing::sphere(3 + random.below(30));
    case 1:
      return testing::torus(3 + random.below(24));
    case 2:
      return testing::soup(1 + random.below(3000), random.bits());
    default: {  // a sphere squeezed to needles or nearly flat
      Mesh mesh = testing::sphere(3 + random.below(20));
      const vec3 stretch(1.0f, random.unit(), random.unit() * random.unit());
      for (vec3& p : mesh.positions) p = p * stretch;
      return mesh;
    }
  }
}

vec3 random_color(testing::Random& random) {
  return vec3(random.unit(), random.unit(), random.unit());
}

/// Gives random materials to the triangles. Some emit light, and some have an opacity below 1.
void give_materials(SceneData& scene, testing::Random& random) {
  const u32 count = 1 + random.below(5);
  for (u32 i = 0; i < count; ++i) {
    Material material;
    material.color = random_color(random);
    if (random.below(4) == 0) material.emission = random_color(random) * 10.0f;
    if (random.below(6) == 0) material.opacity = random.unit();
    scene.materials.push_back(material);
    scene.material_names.push_back("material " + std::to_string(i));
  }
  for (std::size_t i = 0; i < scene.mesh.triangles.size(); ++i)
    scene.mesh.material_of.push_back(random.below(count));
}

/// Instances of the scene's mesh and perhaps of another one, at random places.
SceneData placed(const SceneData& scene, testing::Random& random) {
  std::vector<SceneData> meshes = {scene};
  if (random.below(2)) {
    meshes.push_back(*testing::scene_of(random_mesh(random)));
    give_materials(meshes.back(), random);
  }
  const Aabb box = scene.mesh.bounds();
  const float size = box.empty() ? 1.0f : largest_magnitude(box);
  std::vector<Scene> parts;
  for (const SceneData& mesh : meshes) parts.emplace_back(std::make_shared<SceneData>(mesh));
  std::vector<Instance> instances;
  for (u32 count = 1 + random.below(random.below(4) == 0 ? 300 : 20); count > 0; --count) {
    instances.push_back({random.below(static_cast<u32>(meshes.size())),
                         testing::random_transform(random, 0.1f, 2.0f, 3.0f * size)});
    if (random.below(3) == 0)
      instances.back().material = random.below(static_cast<u32>(scene.materials.size()));
  }
  return *make_scene(parts, instances).data();
}

}  // namespace

std::shared_ptr<const SceneData> random_scene(testing::Random& random) {
  auto scene = std::make_shared<SceneData>();
  if (random.below(6) == 0) {
    *scene = testing::textured_scene();
  } else {
    scene->name = "random mesh";
    scene->mesh = random_mesh(random);
    give_materials(*scene, random);
  }
  // Changes the size and the place of the scene.
  constexpr float kScales[] = {1e-3f, 1.0f, 1.0f, 1e3f};
  const float scale = one_of(kScales, random);
  const vec3 offset = random.below(2) ? vec3(0.0f) : random.point(1e3f * scale);
  for (vec3& p : scene->mesh.positions) p = p * scale + offset;
  if (random.below(3) == 0) *scene = placed(*scene, random);
  scene->sun.strength = random.below(3) == 0 ? 0.0f : 5.0f * random.unit();
  scene->sky.strength = random.below(3) == 0 ? 0.0f : random.unit();
  return scene;
}

namespace {

/// Replaces every third camera by one with another projection or with distortion.
void change_projection(Camera& camera, testing::Random& random) {
  const std::vector<Camera> curvilinear = testing::curvilinear_cameras(camera);
  const u32 which = random.below(12);
  if (which < curvilinear.size()) camera = curvilinear[which];
}

}  // namespace

RenderSettings random_settings(const SceneData& scene, testing::Random& random) {
  RenderSettings settings;
  settings.width = 1 + random.below(64);
  settings.height = 1 + random.below(48);
  const std::vector<ShadingInfo> all = shadings();
  settings.shading = one_of(all, random).name;
  settings.samples = random.below(5);
  settings.bounces = random.below(4);
  settings.smooth = std::array{Smoothing::off, Smoothing::fast, Smoothing::on}[random.below(3)];
  settings.keep_fireflies = random.below(2) == 0;
  settings.keep_hits = true;
  if (!scene.mesh.triangles.empty() && random.below(2)) {
    const Aabb box = scene.bounds();
    const float size = max_of(largest_magnitude(box.extent()), 1e-6f);
    Camera camera;
    const dvec3 middle(box.center() + random.point(0.3f) * size);
    camera.look_at = middle;
    camera.eye = middle + dvec3(random.point(1.2f) * size) + dvec3(0.0, 0.0, 1e-3 * size);
    camera.up = dvec3(random.point()) + dvec3(0.01, 2.0, 0.02);
    camera.fov = 10.0 + 120.0 * random.unit();
    change_projection(camera, random);
    settings.camera = camera;
  }
  return settings;
}

namespace {

/// Vertices at random places near where they were; one time in eight all in one place.
std::vector<Vec3f> shaken(const Scene& scene, u32 seed) {
  testing::Random random(seed);
  std::vector<Vec3f> vertices = scene.vertices();
  const Aabb box = scene.data()->mesh.bounds();
  const float size = box.empty() ? 1.0f : largest_magnitude(box.extent());
  const float far = size * random.unit();
  const bool gathered = random.below(8) == 0;
  for (Vec3f& p : vertices) p = gathered ? vertices.front() : Vec3f(vec3(p) + random.point(far));
  return vertices;
}

/// Transforms that differ a little or a lot from those of the scene; one instance in five is
/// hidden.
std::vector<Transform> shaken_transforms(const Scene& scene, u32 seed) {
  testing::Random random(seed);
  const float size = largest_magnitude(scene.data()->bounds());
  const bool far = random.below(2) == 0;
  std::vector<Transform> transforms;
  for (const SceneInstance& instance : scene.data()->instances) {
    Transform to = instance.to_scene;
    for (auto& row : to.rows) row[3] += size * (random.unit() - 0.5f) * (far ? 4.0f : 0.1f);
    if (random.below(4) == 0) to = testing::random_transform(random, 0.1f, 2.0f, size);
    transforms.push_back(random.below(5) == 0 ? kHidden : to);
  }
  return transforms;
}

std::vector<Transform> own_transforms(const Scene& scene) {
  std::vector<Transform> transforms;
  for (const SceneInstance& instance : scene.data()->instances)
    transforms.push_back(instance.to_scene);
  return transforms;
}

std::vector<RandomStep> random_motion(testing::Random& random) {
  constexpr Follow kWays[] = {Follow::automatic, Follow::refit, Follow::rebuild};
  std::vector<RandomStep> motion;
  for (u32 steps = 1 + random.below(4); steps > 0; --steps)
    motion.push_back({steps == 1 ? 0u : 1u + random.bits() % 1000000u, one_of(kWays, random)});
  return motion;
}

}  // namespace

void set_pose(Renderer& renderer, u32 seed) {
  const Scene& scene = renderer.scene();
  if (scene.instance_count() > 0)
    renderer.set_transforms(seed == 0 ? own_transforms(scene) : shaken_transforms(scene, seed));
  else
    renderer.set_vertices(seed == 0 ? scene.vertices() : shaken(scene, seed));
}

std::shared_ptr<const SceneData> posed(const Scene& scene, u32 seed) {
  if (scene.instance_count() == 0)
    return testing::with_vertices(scene, seed == 0 ? scene.vertices() : shaken(scene, seed)).data();
  auto data = std::make_shared<SceneData>(*scene.data());
  set_transforms(*data, seed == 0 ? own_transforms(scene) : shaken_transforms(scene, seed),
                 boxes_of_parts(*data));
  return data;
}

void move(Renderer& renderer, const std::vector<RandomStep>& motion) {
  for (const RandomStep& step : motion) {
    set_pose(renderer, step.seed);
    renderer.follow(step.how);
  }
}

RandomChoice random_choice(const SceneData& scene, testing::Random& random) {
  constexpr u32 kBlockSizes[] = {32, 64, 96, 128, 256, 512, 1024};
  constexpr std::string_view kLoops[] = {"auto", "graph", "host", "host:3"};
  RandomChoice choice;
  choice.renderer.builder = one_of(builders(), random).name;
  choice.renderer.layout = one_of(layouts(), random).name;
  choice.cast = one_of(testing::ways_to_cast(), random);
  choice.cast.block_size = one_of(kBlockSizes, random);
  choice.cast.loop = one_of(kLoops, random);
  choice.threads = random.below(4);
  if (random.below(4) == 0 && scene.instances.empty()) {
    choice.pack = {choice.renderer.builder, choice.renderer.layout};
    if (random.below(2) == 0)
      choice.pack = {std::string(one_of(builders(), random).name),
                     random.below(2) == 0 ? "auto" : std::string(one_of(layouts(), random).name)};
  }
  if (random.below(3) == 0) {
    constexpr std::string_view kMovable[] = {"ploc", "ploc-reinserted", "binned-sah", "fast",
                                             "balanced"};
    choice.motion = random_motion(random);
    choice.renderer.builder = one_of(kMovable, random);
    choice.renderer.moves = true;
  } else if (random.below(3) == 0 && scene.world_count() <= 1) {
    choice.renderer.partition = 2 + random.below(7);
  }
  return choice;
}

std::shared_ptr<const SceneData> packed_copy(const std::shared_ptr<const SceneData>& scene,
                                             const RandomPack& pack) {
  struct File {
    std::string path = (std::filesystem::temp_directory_path() /
                        ("ballotcast-soak-" + std::to_string(::getpid()) + ".bcast"))
                           .string();
    ~File() { std::remove(path.c_str()); }
  } const file;
  write_packed(file.path, *prepare(scene, pack.builder, pack.layout), {}, pack.layout == "auto");
  return std::make_shared<const SceneData>(load_packed_scene(file.path));
}

std::string RandomChoice::text() const {
  const auto word = [](std::string_view s) { return std::string(s) + " "; };
  return word(renderer.builder) + word(renderer.layout) + word(cast.pipeline) + word(cast.atomics) +
         "block " + std::to_string(cast.block_size) + " loop " + word(cast.loop) + "order " +
         word(cast.order) + "threads " + std::to_string(threads) +
         (pack ? " packed " + word(pack->builder) + pack->layout : "") +
         (renderer.partition > 1 ? " in " + std::to_string(renderer.partition) + " parts" : "") +
         (motion.empty() ? "" : " after motion in " + std::to_string(motion.size()) + " steps");
}

}  // namespace ballotcast::detail::soak
