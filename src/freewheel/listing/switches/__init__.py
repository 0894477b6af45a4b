"""Which storages fix which switches."""
