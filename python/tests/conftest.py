"""What several files of tests share."""

import ballotcast as bc
import pytest
from shapes import CORNERS, FACES


@pytest.fixture(params=["cpu", "emulated"])
def tetrahedron(request):
    return bc.Scene(CORNERS, FACES, device=request.param)
