// The library in one include: scenes, rays, pictures and how they differ.
#pragma once

#include "compare/difference.hpp"
#include "compare/metrics/flip.hpp"
#include "compare/verdict.hpp"
#include "image/codec.hpp"
#include "render/device_caster.hpp"
#include "render/hashes.hpp"
#include "render/renderer.hpp"
#include "support/error.hpp"
#include "version.hpp"
