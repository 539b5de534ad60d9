#include <cstdio>
#include "ballotcast.hpp"
using namespace ballotcast;
int main(int argc, char** argv) {
  auto scene = std::make_shared<Scene>(argc > 1 ? load_scene(argv[1]) : builtin_scene());
  for (auto& w : scene->warnings) std::fprintf(stderr, "%s\n", w.c_str());
  RendererOptions o; if (argc > 2) o.device = argv[2];
  Renderer r(scene, o);
  RenderSettings s; s.width=480; s.height=270; if (argc>3) s.shading=argv[3]; s.keep_hits=true;
  if (argc>4) s.cast.pipeline=argv[4];
  if (argc>5) s.cast.atomics=argv[5];
  Frame f = r.render(s);
  auto png = encode_png(f.image);
  FILE* out = std::fopen("/tmp/out.png","wb"); std::fwrite(png.data(),1,png.size(),out); std::fclose(out);
  std::printf("build %.1f pixels %s hits %s passes %lu counter %lu\n", r.prepare_times().build_ms, hash_of(f.image).c_str(), hash_of(f.hits).c_str(), f.counts.passes, f.counts.counter);
  for (auto& t : f.stages) std::printf("%s %.1f ms\n", t.name.c_str(), t.milliseconds);
}
