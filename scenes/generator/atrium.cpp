// A two-storey courtyard: arcades along both sides, groin-vaulted galleries behind them, blind
// arches in the end walls, banners, a fountain and planted urns under the open sky.
#include "furniture.hpp"

namespace ballotcast::detail {
namespace {

// Lengths are in metres. Side walls are built in a frame in which z = 0 is the line of columns, +z
// points to the court and -z to the gallery.
constexpr double kBay = 3.4;
constexpr double kCourtHalf = 3.6;  // from the middle of the court to the columns
constexpr double kWallHalf = 0.3;   // half the thickness of the arcades
constexpr double kGalleryBack = -kWallHalf - kBay;
constexpr double kUpperFloor = 5.4;
constexpr double kWallTop = 9.95;
constexpr double kOuterHalf = kCourtHalf - kGalleryBack;  // from the middle to the outer walls
constexpr ArchShape kLowerArch{kBay / 2, 1.28, 3.3, 3.3, kUpperFloor, kWallHalf, -kWallHalf};
constexpr ArchShape kUpperArch{kBay / 2, 1.36, 7.95, 7.95, kWallTop, 0.26, -0.26};

const std::vector<MaterialRow> kAtriumMaterials{
    {"stone", {0.66, 0.58, 0.46}},       {"stone_light", {0.76, 0.70, 0.60}},
    {"stone_dark", {0.36, 0.31, 0.26}},  {"plaster", {0.72, 0.55, 0.38}},
    {"vault", {0.70, 0.66, 0.58}},       {"floor_a", {0.62, 0.56, 0.47}},
    {"floor_b", {0.30, 0.17, 0.12}},     {"gallery_a", {0.50, 0.40, 0.30}},
    {"gallery_b", {0.42, 0.31, 0.22}},   {"roof", {0.52, 0.23, 0.13}},
    {"wood", {0.26, 0.15, 0.08}},        {"cloth_red", {0.62, 0.05, 0.05}},
    {"cloth_green", {0.06, 0.34, 0.14}}, {"cloth_blue", {0.06, 0.14, 0.48}},
    {"gold", {0.78, 0.55, 0.16}},        {"water", {0.06, 0.22, 0.26}},
    {"clay", {0.58, 0.28, 0.16}},        {"leaf", {0.10, 0.28, 0.06}}};

class Atrium {
 public:
  Atrium(Mason& mason, int bays, u32 seed)
      : m_(mason), bays_(bays), half_(kBay * bays / 2), seed_(seed) {}

  void build() {
    court_floor();
    for (const int side : {0, 2}) {
      const Frame frame{{0, 0, side == 0 ? -kCourtHalf : kCourtHalf}, side};
      m_.place(frame);
      m_.group(side == 0 ? "north_side" : "south_side");
      side_walls();
      lower_arcade();
      upper_arcade();
      galleries(frame);
      m_.place(frame);
      banners(static_cast<u32>(side));
    }
    for (const int turns : {1, 3}) {
      m_.place({{turns == 1 ? -half_ : half_, 0, 0}, turns});
      m_.group(turns == 1 ? "west_end" : "east_end");
      end_wall();
    }
    m_.place({});
    if (m_.bare()) return;
    m_.group("court");
    fountain(m_);
    for (const double x : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) urn(m_, {x * (bays_ > 3 ? 3.4 : 1.5), 0.0, z * 2.7});
    }
  }

 private:
  double column_x(int i) const { return kBay * i - half_; }
  double bay_x(int i) const { return kBay * (i + 0.5) - half_; }

  // A chequered rectangle at height `y`.
  void tiles(double x0, double x1, double z0, double z1, double y, int nx, int nz, const char* even,
             const char* odd) {
    const double dx = (x1 - x0) / nx, dz = (z1 - z0) / nz;
    m_.next_element();
    for (int parity = 0; parity < 2; ++parity) {
      m_.use(parity == 0 ? even : odd);
      for (int j = 0; j < nz; ++j) {
        for (int i = (j + parity) % 2; i < nx; i += 2) {
          m_.quad({x0 + dx * i, y, z0 + dz * (j + 1)}, {dx, 0, 0}, {0, 0, -dz});
        }
      }
    }
  }

  void court_floor() {
    m_.place({});
    m_.group("floor");
    const double edge = kCourtHalf + kWallHalf;
    const int fine = m_.detail() > 0.5 ? 4 : m_.bare() ? 1 : 2;  // tiles along a bay
    const int across = fine == 4 ? 9 : fine == 2 ? 5 : 3;
    tiles(-half_, half_, -edge, edge, 0.0, bays_ * fine, across, "floor_a", "floor_b");
  }

  // The outer wall with its doors, the string course, the cornice and the roof.
  void side_walls() {
    const double end = half_ + 0.5;
    m_.next_element();
    m_.use("plaster");
    m_.box({-end, 0, kGalleryBack - 0.5}, {end, kWallTop, kGalleryBack}, Mason::kNoBottom);
    for (int i = 1; i < bays_; i += 2) door(m_, bay_x(i), kGalleryBack, 0.0);
    roof(end);
    if (m_.bare()) return;
    m_.next_element();
    m_.use("stone_light");
    m_.box({-half_, kUpperFloor - 0.22, kWallHalf}, {half_, kUpperFloor, 0.44}, Mason::kNoBack);
    m_.box({-half_, kUpperFloor - 0.34, kWallHalf}, {half_, kUpperFloor - 0.22, 0.37},
           Mason::kNoBack);
    m_.box({-half_, kWallTop - 0.16, 0.2}, {half_, kWallTop, 0.48}, Mason::kNoBack);
    m_.box({-half_, kWallTop - 0.34, 0.2}, {half_, kWallTop - 0.16, 0.36}, Mason::kNoBack);
  }

  void roof(double end) {
    const double eave = 0.62, back = kGalleryBack - 0.7, low = kWallTop, ridge = kWallTop + 1.5;
    m_.use("roof");
    m_.quad({-end, low + 0.1, eave}, {2 * end, 0, 0}, {0, ridge - low - 0.1, back - eave});
    m_.quad({-end, low, eave}, {2 * end, 0, 0}, {0, 0.1, 0});
    m_.quad({-end, low, back}, {2 * end, 0, 0}, {0, 0, eave - back});
    m_.quad({end, low, back}, {-2 * end, 0, 0}, {0, ridge - low, 0});
    for (const double side : {-1.0, 1.0}) {  // the gable ends
      m_.flat_sheet(1, 1, [&](double u, double v) {
        const double z = side < 0.0 ? back + (eave - back) * u : eave + (back - eave) * u;
        const double roof_y = ridge + (low + 0.1 - ridge) * (z - back) / (eave - back);
        return dvec3(side * end, low + (roof_y - low) * v, z);
      });
    }
  }

  void lower_arcade() {
    for (int i = 0; i <= bays_; ++i) column(m_, column_x(i), 0.0, kLowerArch.springing, 0.33);
    for (int i = 0; i < bays_; ++i) {
      m_.next_element();
      m_.use("stone");
      m_.arch(bay_x(i), kLowerArch, Mason::kBackFace);
      m_.use("stone_light");
      m_.archivolt(bay_x(i), kLowerArch, 0.2, 0.05);
    }
  }

  void upper_arcade() {
    const double rail = kUpperFloor + 0.95;
    for (int i = 0; i <= bays_; ++i) {
      m_.next_element();
      m_.use("stone");
      m_.block(column_x(i), 0.0, 0.34, kUpperFloor, rail, Mason::kNoBottom);
      column(m_, column_x(i), rail, kUpperArch.springing, 0.245);
    }
    for (int i = 0; i < bays_; ++i) {
      m_.next_element();
      m_.use("stone");
      m_.arch(bay_x(i), kUpperArch, Mason::kBackFace);
      m_.use("stone_light");
      m_.archivolt(bay_x(i), kUpperArch, 0.16, 0.04);
      parapet(bay_x(i), rail);
    }
  }

  // Balusters if there are enough triangles, else a panel.
  void parapet(double x, double rail) {
    const double half = kBay / 2 - 0.34, foot = kUpperFloor + 0.14;
    m_.use("stone_light");
    m_.box({x - half, rail - 0.14, -0.17}, {x + half, rail, 0.17});
    m_.box({x - half, kUpperFloor, -0.17}, {x + half, foot, 0.17}, Mason::kNoBottom);
    if (m_.detail() < 1.6) {
      m_.use("stone");
      m_.box({x - half, foot, -0.1}, {x + half, rail - 0.14, 0.1},
             Mason::kNoBottom | Mason::kNoTop);
      return;
    }
    constexpr int kBalusters = 9;
    for (int i = 0; i < kBalusters; ++i) {
      m_.next_element();
      const double at = x - half + 2.0 * half * (i + 0.5) / kBalusters;
      const double height = rail - 0.14 - foot;
      m_.turned({at, foot, 0.0}, m_.steps(2.4, 4), m_.steps(2.2, 3), [&](double t) {
        const double belly = t * (1.0 - t) * (1.0 - t) * 6.75;  // 1 at a third of the height
        return ProfilePoint{0.045 + 0.055 * belly * belly, height * t};
      });
    }
  }

  void galleries(const Frame& frame) {
    const double middle = kGalleryBack / 2 - kWallHalf / 2;
    const int nx = bays_ * (m_.bare() ? 1 : 2), nz = m_.bare() ? 1 : 2;
    tiles(-half_, half_, kGalleryBack, -kWallHalf, 0.0, nx, nz, "gallery_a", "gallery_b");
    tiles(-half_, half_, kGalleryBack, kWallHalf, kUpperFloor, nx, nz, "gallery_a", "gallery_b");
    for (int i = 0; i < bays_; ++i) {
      m_.next_element();
      m_.use("vault");
      m_.groin_vault(bay_x(i), middle, kLowerArch.springing, kBay / 2);
    }
    for (int i = 0; i <= bays_ && !m_.bare(); ++i) {
      m_.next_element();
      m_.place(frame);
      m_.use("stone");
      const double x = column_x(i);
      m_.box({x - 0.24, 0, kGalleryBack}, {x + 0.24, 3.1, kGalleryBack + 0.22},
             Mason::kNoBottom | Mason::kNoBack);
      m_.use("stone_light");
      m_.box({x - 0.32, 3.1, kGalleryBack}, {x + 0.32, 3.3, kGalleryBack + 0.3}, Mason::kNoBack);
      if (i == 0 || i == bays_) continue;
      m_.place(frame.child({x, 0.0, middle}, 1));
      m_.rib(kLowerArch.springing, kBay / 2, 0.16, 0.2);
    }
    m_.place(frame);
    upper_ceiling();
  }

  void upper_ceiling() {
    const double y = kWallTop - 0.02;
    m_.next_element();
    m_.use("plaster");
    m_.quad({-half_, y, kGalleryBack}, {2 * half_, 0, 0}, {0, 0, -0.2 - kGalleryBack});
    if (!m_.ornate()) return;
    m_.use("wood");
    const int beams = bays_ * 2;
    for (int i = 0; i < beams; ++i) {
      const double x = -half_ + (i + 0.5) * kBay / 2;
      m_.box({x - 0.1, y - 0.26, kGalleryBack}, {x + 0.1, y, -0.2}, Mason::kNoTop | Mason::kNoBack);
    }
  }

  void banners(u32 side) {
    const char* const cloths[] = {"cloth_red", "cloth_green", "cloth_blue"};
    for (int i = 0; i < bays_; ++i) {
      // Banners of the two sides hang in alternate bays, so that no two face each other.
      if (!m_.bare() && i % 2 == (side == 0 ? 1 : 0))
        banner(m_, bay_x(i), cloths[(i / 2 + side) % 3],
               unit_float(hash_pair(seed_, side * 64 + i)));
    }
  }

  // An end wall of the court. In its frame, x runs across the court, and z = 0 is the inner face of
  // the wall.
  void end_wall() {
    const double panel = kOuterHalf * 2 / 6, end = kOuterHalf + 0.5;
    m_.next_element();
    m_.use("plaster");
    m_.box({-end, 0, -1.0}, {end, kWallTop, m_.bare() ? 0.0 : -0.4}, Mason::kNoBottom);
    if (m_.bare()) return;
    const ArchShape lower{panel, 0.8, 0.0, 3.3, kUpperFloor, 0.0, -0.4};
    const ArchShape upper{panel, 0.8, kUpperFloor, 7.95, kWallTop, 0.0, -0.4};
    for (int i = -1; i <= 1; ++i) {
      const double x = i * panel * 2;
      m_.next_element();
      m_.use("stone");
      m_.arch(x, lower, Mason::kJambs);
      m_.arch(x, upper, Mason::kJambs);
      m_.use("stone_light");
      m_.archivolt(x, lower, 0.16, 0.05);
      m_.archivolt(x, upper, 0.16, 0.05);
      m_.box({x - 0.8, kUpperFloor - 0.01, -0.4}, {x + 0.8, kUpperFloor + 0.9, -0.1},
             Mason::kNoBack);
      if (i == 0) door(m_, x, -0.4, 0.0);
    }
    m_.next_element();
    m_.use("stone_light");
    m_.box({-kCourtHalf, kUpperFloor - 0.22, 0.0}, {kCourtHalf, kUpperFloor, 0.14}, Mason::kNoBack);
    m_.box({-end, kWallTop, -1.05}, {end, kWallTop + 0.18, 0.16});
    m_.box({-kCourtHalf, kWallTop - 0.24, 0.0}, {kCourtHalf, kWallTop, 0.1}, Mason::kNoBack);
  }

  Mason& m_;
  int bays_;
  double half_;
  u32 seed_;
};

constexpr double kLeastDetail = 0.55;

u64 count_at(double detail, int bays) {
  Mason counter(nullptr, detail);
  Atrium(counter, bays, 0).build();
  return counter.count();
}

}  // namespace

void make_atrium(ObjWriter& out, const SceneRequest& request) {
  // With few triangles, makes the court shorter: in a long one, columns would get too few sides.
  int bays = 7;
  while (bays > 3 && count_at(kLeastDetail, bays) > request.triangles) bays -= 2;
  while (bays > 1 && count_at(0.0, bays) > request.triangles) --bays;
  double low = 0.0, high = 400.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) * 0.5;
    (count_at(middle, bays) <= request.triangles ? low : high) = middle;
  }
  out.materials(kAtriumMaterials);
  Mason mason(&out, low);
  Atrium(mason, bays, request.seed).build();
}

}  // namespace ballotcast::detail
