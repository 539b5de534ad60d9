#!/usr/bin/env bash
# Compares the metrics with other programs: FLIP, pixel by pixel, with its authors' program (PyPI
# package flip-evaluator); mean, rms, PSNR and SSIM with scikit-image.
# Usage: oracle_test.sh MAKE_PAIRS BALLOTCAST     exit code 77: skipped, because these are not
# installed
set -eu

make_pairs=$(realpath "$1")
ballotcast=$(realpath "$2")
if ! python3 -c 'import flip_evaluator, skimage.metrics, imageio' 2>/dev/null; then
  echo "python3 finds no flip_evaluator or skimage to compare with (pip install flip-evaluator scikit-image)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$make_pairs" "$work"
cd "$work"

python3 - "$ballotcast" <<'END'
import glob, json, subprocess, sys
import flip_evaluator, imageio.v3 as imageio, numpy as np
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

failures = 0
pairs = sorted(name[:-len("-reference.png")] for name in glob.glob("*-reference.png"))
assert pairs

def check(pair, what, ours, theirs, most):
    global failures
    off = abs(ours - theirs)
    fails = not off <= most
    failures += fails
    print(f"{'FAIL ' if fails else 'ok   '} {pair:8} {what:14} {ours:12.7f} {theirs:12.7f}  off by {off:.1e}")

for pair in pairs:
    a, b = imageio.imread(pair + "-reference.png"), imageio.imread(pair + "-result.png")
    report = subprocess.run([sys.argv[1], "compare", pair + "-reference.png", pair + "-result.png", "--json"],
                            capture_output=True, text=True)
    ours = json.loads(report.stdout)["metrics"]

    unit = [image.astype(np.float32) / np.float32(255) for image in (a, b)]
    theirs = flip_evaluator.evaluate(unit[0], unit[1], "LDR", applyMagma=False)[0][..., 0]
    ours_map = np.fromfile(pair + ".flip", "<f4").reshape(theirs.shape)
    # The other program adds up its mean in floats, which is inaccurate for large pictures. So this
    # takes the mean of its map.
    check(pair, "flip", ours["flip"], theirs.mean(dtype=float), 1e-5)
    check(pair, "flip, a pixel", np.abs(ours_map - theirs).max(), 0.0, 1e-3)

    difference = a.astype(float) - b
    check(pair, "mean", ours["mean"], np.abs(difference).mean(), 1e-9)
    check(pair, "rms", ours["rms"], np.sqrt((difference ** 2).mean()), 1e-9)
    check(pair, "psnr", ours["psnr"], peak_signal_noise_ratio(a, b, data_range=255), 1e-9)
    if min(a.shape[:2]) >= 11:  # scikit-image has no SSIM for smaller pictures
        luma = [image.astype(float) @ [0.299, 0.587, 0.114] for image in (a, b)]
        check(pair, "ssim", ours["ssim"],
              structural_similarity(*luma, gaussian_weights=True, sigma=1.5,
                                    use_sample_covariance=False, data_range=255), 1e-7)

print(f"{failures} failures")
sys.exit(failures > 0)
END
