"""Linear algebra of Jacobians: dense and sparse factors, elimination order, least distances."""
