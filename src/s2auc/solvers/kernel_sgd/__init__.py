"""The paper's second update rule: stochastic gradients over the kernel itself, without random features."""
