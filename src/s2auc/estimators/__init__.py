"""The scikit-learn classifiers: check what is given, open the data, run, keep what was fitted. No mathematics.

- `fit_data`: `FitData`, what a fit is given, opened once; nothing else here learns schemas or opens rows.
- `base`: `Ranker`, the base of all classifiers: scoring, saving, and setting fitted attributes.
- `projecting`: components in the place of very many columns.
- `touched_rows`: which unlabelled rows a fit will look at.
- `s2auc`: `S2AUCClassifier`, one setting: `single_plan` settles what a fit will do and does it, `single_fit` is the way
  from rows to a model.
- `s2auc_cv`: `S2AUCClassifierCV`, which chooses its settings: `search_plan` settles and runs the search,
  `search_outcome` is what it found, `decision` what its scores stand for.
- `checkpointing`, `kept_runs`: what is kept of a fit while it runs, so that one that is killed can go on.
- `table_fit`: `fit_table`, from a table in files to a model file; `table_labels`: what its label column means.
- `rules`: what the parameters of both may be; `record`: what a model's file says of how it came about.
- `callbacks`: scikit-learn's callbacks, where there are any.
- `memory_needs`: what a fit would hold, before it starts.
- `meta_estimators`, `search_warnings`: what users are warned of, before a fit and after a search.
- `class_prior`, on `energy` and `penalized_l1`: how many of the unlabelled rows are positive.
- `rivals`: the systems that s2auc is measured against.

The public names are those of `s2auc` itself.
"""
