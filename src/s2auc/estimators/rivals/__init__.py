"""The systems that s2auc is measured against, as estimators of their own: SAMULT and PNU-AUC.

- `base`: what they have in common; `selection`: what their cross-validated forms have in common.
- `groups`, `centers`, `regressors`, `full_kernel`, `held_out`: kernels at centres, or at all rows.
- `samult`, `samult_cv`; `pnu_risk`, `pnuauc`, `pnuauc_cv`: the systems.
"""
