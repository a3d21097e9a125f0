"""The stochastic solver: quadruply stochastic gradients."""
