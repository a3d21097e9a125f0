"""The systems that s2auc is measured against, as estimators of their own.

- `base`: their base class and shared steps; `selection`: what cross-validated forms tell of their grids.
- `groups`, `centers`, `regressors`, `full_kernel`, `held_out`: kernels at centres, or at all rows.
- `samult`, `samult_cv`; `pnu_risk`, `pnuauc`, `pnuauc_cv`: closed forms.
- `dsg`: what QSG-S2AUC generalises, on its solver.
- `nearest_unlabeled`, `rank_boosting`, `ssrankboost`: boosting with labels that neighbours borrow.
- `class_models`, `generative_auc`, `optag`: linear, with generative models of the classes.
- `online`: what systems that learn one row after the other have in common.
- `saddle_point`, `projections`; `solam`; `stages`, `fsauc`: linear ones, by steps towards a saddle point.
- `one_pass`; `foam`, `noam`: pairs with all earlier rows, on features of a kernel.
"""
