// The library in one include: scenes, rays, pictures.
#pragma once

#include "image/codec.hpp"
#include "render/hashes.hpp"
#include "render/renderer.hpp"
#include "support/error.hpp"
#include "version.hpp"
