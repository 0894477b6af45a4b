"""Each kernel that compiled sections call is where its name says."""

import pytest

from freewheel.backend.kernel_homes import HOMES, home_of
from freewheel.backend.random_kernels import RANDOM_CALLS
from freewheel.backend.table_kernels import KERNELS


@pytest.mark.parametrize("name", HOMES)
def test_a_kernel_is_at_home(name):
    assert name in home_of(name).all_kernels()


def test_all_kernels_of_random_numbers_and_tables_have_a_home():
    names = {kernel for kernel, _ in RANDOM_CALLS.values()}.union(KERNELS)
    assert names <= HOMES.keys()
