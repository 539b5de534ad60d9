// The whole library in one include.
//
// Threads: any number of threads may call functions outside of classes, and use a Scene, at the
// same time. Only one thread at a time may use the same Renderer or DeviceCaster.
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
