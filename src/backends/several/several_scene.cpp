#include "backends/several/several_scene.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <type_traits>

#include "backends/several/machine_thread.hpp"
#include "backends/several/sharing.hpp"
#include "kernels/tiles.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

// A piece of rays or points, and of rows of tiles: its grain, and how long it should take at least,
// because each has costs of its own (copies, launches).
constexpr u64 kGrainOfRays = 256;
constexpr double kSecondsOfRays = 2e-4, kSecondsOfRows = 2e-3;

struct Machine {
  std::string name;
  std::unique_ptr<MachineThread> thread;
  std::unique_ptr<ResidentScene> scene;  // made, used and freed in its thread
  bool lost = false;                     // it has failed
};

/// Calls with(array of `a`, array of `b`, elements per pixel) for each array of pixels in a frame.
template <class A, class B, class With>
void for_each_pixel_array(A& a, B& b, u32 samples, const With& with) {
  with(a.image.pixels, b.image.pixels, 1u);
  with(a.hits, b.hits, samples);
  with(a.film, b.film, 1u);
  with(a.raw.light, b.raw.light, 1u);
  with(a.raw.casts, b.raw.casts, 1u);
  with(a.raw.patches, b.raw.patches, 1u);
}

/// Makes room in `whole` for all rows of what some rows in `part` have.
void make_room(const DrawnFrame& part, const FrameSettings& settings, DrawnFrame& whole) {
  const u64 pixels = u64{settings.width} * settings.height;
  for_each_pixel_array(part, whole, settings.samples,
                       [&]<class From, class To>(const From& from, To& to, u64 of_pixel) {
                         if (from.empty() || !to.empty()) return;
                         if constexpr (std::is_same_v<To, Array<typename To::value_type>>)
                           to = To::unset(pixels * of_pixel);
                         else
                           to.resize(pixels * of_pixel);
                       });
}

/// Copies some rows into their place.
void put_rows(const DrawnFrame& part, const FrameSettings& settings, DrawnFrame& whole) {
  const u64 first = u64{settings.first_row} * settings.width;
  for_each_pixel_array(part, whole, settings.samples,
                       [&](const auto& from, auto& to, u64 of_pixel) {
                         if (!from.empty())
                           std::copy(from.begin(), from.end(), to.data() + first * of_pixel);
                       });
}

class SeveralScene final : public ResidentScene {
 public:
  SeveralScene(std::vector<Member> members, std::function<void(const std::string&)> on_loss)
      : on_loss_(std::move(on_loss)), speeds_(members.size()), row_speeds_(members.size()) {
    for (const Member& member : members)
      machines_.push_back({member.name, std::make_unique<MachineThread>(), nullptr});
    on_all([&](std::size_t i) { machines_[i].scene = members[i].upload(); });
  }

  ~SeveralScene() override {
    try {
      on_all([&](std::size_t i) { machines_[i].scene.reset(); });
    } catch (...) {  // errors here were already reported by the call that failed
    }
  }

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    CastCounts all;
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      const CastCounts counts = scene.cast(kind, rays.from(first), hits + first,
                                           visits ? visits + first : nullptr, part, choice);
      const std::lock_guard lock(mutex_);
      all.add(counts);
    });
    return all;
  }

  void begin_work(u32 rays, u64 bytes) override {
    at_once_ = rays;
    on_all([&](std::size_t i) { machines_[i].scene->begin_work(rays, bytes); });
  }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.count_crossings(rays.from(first), counts + first, part);
    });
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.crossings(rays.from(first), starts + first, hits, part);
    });
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.closest_points(points.from(first), max_distance, nearest + first, part);
    });
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.contains(points.from(first), rule, inside + first, part);
    });
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.winding_numbers(points.from(first), numbers + first, part);
    });
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<Rays>(*this, kind, rays, count);
  }

  void follow(Moved moved) override {
    on_all([&](std::size_t i) { machines_[i].scene->follow(moved); });
  }

  /// Machines draw rows of tiles. If soft light is smoothed, one of them does so at the end,
  /// because that needs the whole film.
  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    const u64 bands = (u64{settings.height} + kTileSide - 1u) / kTileSide;
    DrawnFrame whole;
    std::atomic<u64> rows_done{0};
    const auto draw_bands = [&](ResidentScene& scene, u64 first, u64 count) {
      FrameSettings some = settings;
      some.first_row = static_cast<u32>(first) * kTileSide;
      some.rows = std::min(static_cast<u32>(count) * kTileSide, settings.height - some.first_row);
      if (some.rows == settings.height) some.rows = 0u;  // a whole frame
      DrawnFrame drawn = scene.draw(some, choice, {});
      rows_done += some.rows_to_draw();
      if (some.rows == 0u) {
        whole = std::move(drawn);
        return;
      }
      {
        const std::lock_guard lock(mutex_);
        make_room(drawn, some, whole);
        whole.counts.add(drawn.counts);
        add_stages(drawn.stages, whole.stages);
      }
      put_rows(drawn, some, whole);
    };
    // One machine alone draws all of it at once.
    const u64 grain = those_left().size() > 1u ? 1u : bands;
    share(bands, {grain, bands, kSecondsOfRows}, row_speeds_, draw_bands, [&] {
      if (report) report(rows_done, settings.height);
    });
    if (report) report(settings.height, settings.height);
    if (!whole.raw.patches.empty()) {
      DrawnFrame smooth = develop(settings, whole.raw);
      smooth.counts.add(whole.counts);
      smooth.hits = std::move(whole.hits);
      add_stages(whole.stages, smooth.stages);
      return smooth;
    }
    whole.image.width = settings.width;
    whole.image.height = settings.height;
    whole.exposure = settings.exposure;
    whole.white = settings.white;
    return whole;
  }

  DrawnFrame develop(const FrameSettings& settings, const RawFilm& film) override {
    for (;;) {
      const std::size_t i = fastest();
      DrawnFrame out;
      std::vector<std::future<void>> work;
      work.push_back(
          machines_[i].thread->start([&] { out = machines_[i].scene->develop(settings, film); }));
      try {
        wait_for(work);
        return out;
      } catch (const OutOfDeviceMemory&) {
        throw;
      } catch (const DeviceError& error) {
        machines_[i].lost = true;
        if (!on_loss_ || those_left().empty()) throw;
        on_loss_(loss_of(i, error));
      }
    }
  }

 private:
  /// Rays that are divided among the machines: one block after another goes to the next machine, so
  /// that all get as much of what takes long. Large blocks, because rays of one part of a picture
  /// share what is in the caches.
  class Rays final : public ResidentRays {
   public:
    Rays(SeveralScene& several, RayKind kind, const Ray* rays, u32 count)
        : several_(several), count_(count), parts_(several.machines_.size()) {
      const std::vector<std::size_t> there = several_.those_left();
      const u64 blocks = kBlocksEach * there.size();
      block_ =
          static_cast<u32>(std::clamp<u64>((count + blocks - 1u) / blocks, 1u << 10, 1u << 20));
      for (u32 block = 0; u64{block} * block_ < count; ++block)
        parts_[there[block % there.size()]].blocks.push_back(block);
      on_all([&](std::size_t i, Part& part) {
        std::vector<Ray> its;
        for_each_block(
            part, [&](u32 first, u32 end) { its.insert(its.end(), rays + first, rays + end); });
        part.count = static_cast<u32>(its.size());
        part.rays = several_.machines_[i].scene->keep(kind, its.data(), part.count);
      });
    }
    ~Rays() override {
      try {
        on_all([](std::size_t, Part& part) { part.rays.reset(); });
      } catch (...) {  // errors here were already reported by the call that failed
      }
    }

    CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
      CastCounts all;
      u64 atomics = 0;
      on_all([&](std::size_t, Part& part) {
        u64 its_atomics = 0;
        CastChecks its = checks;
        if (checks.atomics) its.atomics = &its_atomics;
        const CastCounts counts = part.rays->cast(choice, its);
        const std::lock_guard lock(several_.mutex_);
        all.add(counts);
        atomics += its_atomics;
      });
      if (checks.atomics) *checks.atomics = atomics;
      return all;
    }

    void results(Hit* hits, u32* visits) override {
      on_all([&](std::size_t, Part& part) {
        std::vector<Hit> its_hits(part.count);
        std::vector<u32> its_visits(visits ? part.count : 0u);
        part.rays->results(its_hits.data(), visits ? its_visits.data() : nullptr);
        u32 from = 0;
        for_each_block(part, [&](u32 first, u32 end) {
          std::copy_n(its_hits.data() + from, end - first, hits + first);
          if (visits) std::copy_n(its_visits.data() + from, end - first, visits + first);
          from += end - first;
        });
      });
    }

    /// All machines cast at the same time. A run takes as long as the slowest of them.
    std::vector<double> time(const CastChoice& choice, u32 runs) override {
      std::vector<double> slowest(runs, 0.0);
      on_all([&](std::size_t, Part& part) {
        const std::vector<double> its = part.rays->time(choice, runs);
        const std::lock_guard lock(several_.mutex_);
        for (u32 run = 0; run < runs; ++run) slowest[run] = std::max(slowest[run], its[run]);
      });
      return slowest;
    }

   private:
    static constexpr u32 kBlocksEach = 16;

    struct Part {
      std::vector<u32> blocks;
      u32 count = 0;
      std::unique_ptr<ResidentRays> rays;
    };

    /// Calls work(i, part) in the thread of each machine that has rays.
    template <class Work>
    void on_all(const Work& work) {
      several_.on_all([&](std::size_t i) {
        if (!parts_[i].blocks.empty()) work(i, parts_[i]);
      });
    }

    /// Calls with(first ray, the ray behind the last) for each block of a part.
    template <class With>
    void for_each_block(const Part& part, const With& with) const {
      for (const u32 block : part.blocks)
        with(block * block_, static_cast<u32>(std::min<u64>(u64{block + 1u} * block_, count_)));
    }

    SeveralScene& several_;
    const u32 count_;
    u32 block_;                // rays per block, but for the last
    std::vector<Part> parts_;  // one per machine
  };

  std::vector<std::size_t> those_left() const {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < machines_.size(); ++i)
      if (!machines_[i].lost) left.push_back(i);
    return left;
  }

  /// The machine that has drawn the most rows per second.
  std::size_t fastest() const {
    const std::vector<std::size_t> left = those_left();
    return *std::max_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
      return row_speeds_[a] < row_speeds_[b];
    });
  }

  std::string loss_of(std::size_t machine, const DeviceError& error) const {
    return machines_[machine].name + " has failed, and the others do its work: " + error.what();
  }

  /// Calls work(i) in the thread of each machine that is left, at the same time.
  template <class Work>
  void on_all(const Work& work) {
    std::vector<std::future<void>> works;
    for (const std::size_t i : those_left())
      works.push_back(machines_[i].thread->start([&work, i] { work(i); }));
    wait_for(works);
  }

  template <class Work>
  void share_rays(u64 count, const Work& work) {
    const u64 grain = std::min<u64>(kGrainOfRays, at_once_);
    share(count, {grain, at_once_ / grain * grain, kSecondsOfRays}, speeds_, work);
  }

  /// Calls work(scene, first, part) in the threads of the machines, until `count` items are done.
  template <class Work>
  void share(u64 count, const PieceSizes& sizes, Speeds& speeds, const Work& work,
             const std::function<void()>& meanwhile = {}) {
    Sharing sharing(count, sizes, speeds);
    std::vector<std::string> losses;
    std::exception_ptr failure;
    const auto work_on = [&](std::size_t i) {
      while (const std::optional<Piece> one = sharing.take(i)) {
        const Stopwatch watch;
        try {
          work(*machines_[i].scene, one->first, one->count);
        } catch (const OutOfDeviceMemory&) {
          sharing.end(i);
          throw;
        } catch (const DeviceError& error) {
          const std::lock_guard lock(mutex_);
          machines_[i].lost = true;
          losses.push_back(loss_of(i, error));
          failure = std::current_exception();
          if (on_loss_)
            sharing.give_back(i, *one);
          else
            sharing.end(i);
          return;
        } catch (...) {
          sharing.end(i);
          throw;
        }
        sharing.done(i, *one, watch.milliseconds() * 1e-3);
      }
    };
    std::vector<std::future<void>> works;
    for (const std::size_t i : those_left())
      works.push_back(machines_[i].thread->start([&work_on, i] { work_on(i); }));
    wait_for(works, meanwhile);
    if (failure && (!on_loss_ || those_left().empty())) std::rethrow_exception(failure);
    for (const std::string& loss : losses) on_loss_(loss);
  }

  const std::function<void(const std::string&)> on_loss_;
  std::vector<Machine> machines_;
  std::mutex mutex_;  // of everything that works on several machines change
  Speeds speeds_, row_speeds_;
  u32 at_once_ = kPathsAtOnce;
};

}  // namespace

std::unique_ptr<ResidentScene> make_several_scene(
    std::vector<Member> members, std::function<void(const std::string& why)> on_loss) {
  return std::make_unique<SeveralScene>(std::move(members), std::move(on_loss));
}

}  // namespace ballotcast::detail
