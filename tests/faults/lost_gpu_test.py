"""Tests a viewer whose GPU fails: the CPU takes over, and the page shows a message.

Usage: lost_gpu_test.py FAKE_DRIVER_FOLDER PROGRAM [PROGRAM_ON_FAKE_GPU]
exit code 77: skipped, because there is no CUDA code
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "view"))
from viewer import Checks, Viewer  # noqa: E402

if len(sys.argv) < 4:
    print("this build has no CUDA code")
    sys.exit(77)
fake_driver, program, program_on_fake_gpu = sys.argv[1:4]
check = Checks()
SMALL = {"size": "48x27", "spp": 1, "shade": "normal", "moving": 1}


def told(answer):
    return json.loads(answer[1]["X-Ballotcast-Facts"])


with Viewer(program, "--device", "cpu") as viewer:
    right = viewer.ask("picture", **SMALL)[2]
LOST = 719  # cudaErrorLaunchFailure
for call, number in [("cudaLaunchKernel", 2), ("cudaLaunchKernel", 12), ("cudaLaunchKernel", 20)]:
    environment = {**os.environ, "FAKE_GPU_FAIL": f"{call}:{number}:{LOST}"}
    environment["LD_LIBRARY_PATH"] = fake_driver
    words = ["--device", "cuda", "--build", "binned-sah"]  # this builder runs on the host
    with Viewer(program_on_fake_gpu, *words, env=environment) as viewer:
        answers = [viewer.ask("picture", **SMALL) for _ in range(8)]
        check(
            f"{call} {number}: every picture is answered",
            all(a[0] == 200 for a in answers),
            [a[0] for a in answers],
            answers[0][2][:200],
        )
        last = answers[-1]
        check(
            f"{call} {number}: the CPU draws from then on",
            told(last)["device"] == "cpu",
            told(last),
        )
        check(
            f"{call} {number}: the page is told",
            "the device failed" in told(last)["remarks"],
            told(last)["remarks"],
        )
        check(f"{call} {number}: its pictures are right", last[2] == right)
        status = viewer.ask("explain", pixel="3,4", **SMALL)[0]
        check(f"{call} {number}: pixels are explained as before", status == 200, status)
        check(f"{call} {number}: Ctrl-C ends the viewer", viewer.end()[0] == 0)
check.finish()
