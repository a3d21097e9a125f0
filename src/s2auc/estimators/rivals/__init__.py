"""The systems that s2auc is measured against, as estimators of their own.

- `base`: what they have in common; `selection`: what their cross-validated forms have in common.
- `groups`, `centers`, `regressors`, `full_kernel`, `held_out`: kernels at centres, or at all rows.
- `samult`, `samult_cv`; `pnu_risk`, `pnuauc`, `pnuauc_cv`: systems that learn from all rows at once.
- `online`: what systems that learn one row after the other have in common.
- `saddle_point`, `projections`; `solam`; `stages`, `fsauc`: linear ones, by steps towards a saddle point.
- `one_pass`; `foam`, `noam`: pairs with all earlier rows, on features of a kernel.
"""
