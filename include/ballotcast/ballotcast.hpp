// The whole library in one include.
//
// Threads: functions that belong to no class may be called by any number of threads at once. A
// Scene may be used by many threads; a Renderer and a DeviceCaster by one at a time.
#pragma once

#include "ballotcast/camera.hpp"
#include "ballotcast/compare.hpp"
#include "ballotcast/device_caster.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/explanation.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/instance.hpp"
#include "ballotcast/linear_image.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/ray.hpp"
#include "ballotcast/renderer.hpp"
#include "ballotcast/scene.hpp"
#include "ballotcast/tables.hpp"
#include "ballotcast/threads.hpp"
#include "ballotcast/types.hpp"
#include "ballotcast/version.hpp"
