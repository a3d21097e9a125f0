"""Fitted models: how they score rows, describe themselves, and are kept in files.

In the order data flow: `part` says what a term of the score is. `plain_parts` lists the kinds that read columns as they
are, `cosine_part`, `kernel_part`, `linear_part` and `tree_part`; `part_kinds` adds `projected_part`, which holds some
of them. `part_checks` checks them, within `bounds` that keep scores finite, `part_lists` turns lists of them into words
and arrays. Trees come from scikit-learn by `tree_preorder`, become `tree_tables`, and are walked down by
`tree_scoring`, with `tree_scoring_native` (the compiled extension `_trees`, from `src/native`) or `tree_scoring_numpy`.
`model` adds parts up, `scoring_chunks` some rows at a time on all cores; `record` bounds what is remembered of the fit;
`model_summary` puts a model in a line or a table, `inspect_model` in values that JSON carries, with `record_entries`,
which trusts no record. `file` saves and loads: `file_description` turns a model into JSON and arrays, with the help of
`file_columns`, `file_schema`, `file_classes` and `file_json`, `file_bytes` these into bytes, and `file_checks` says
whether values make sense. `score_table` scores tables that do not fit in memory: `table_scores` makes batches of
scores, all or the highest (`top_scores`), with columns that are kept (`kept_columns` checks them, `dictionary_columns`
brings their categories into one form), `score_file` writes them in the formats of `FORMATS`, and `column_drift` says
whether columns lie where they lay in the fit; `spread_scores` lets workers do so with their parts of a table.
`evaluate_model` judges a model, named in one of the ways of `fitted_model`, by labelled rows: `evaluated_rows` finds
rows and labels, `labels_of_model` says what these mean, `labeled_scores` scores, and `evaluation` holds what is found,
which `evaluation_figures` draws. `export_onnx` writes models for other languages: to an `onnx_graph`, in which NumPy's
formulas become nodes, `onnx_columns` adds columns as they come (dates by `onnx_dates`), `onnx_encoding` what becomes of
them, with `onnx_search` for ranks and categories, and `onnx_parts` the parts, with `onnx_trees` for forests. A new
format is a class and an entry of `FORMATS`; a new kind of part is a class, an entry of `PLAIN_PARTS` and one of
`EXPORTERS`.

Other rooms use the names below, `s2auc.models.record.check_record`, `s2auc.evaluation.labeled_scores.score_labeled` and
`s2auc.models.parts.bounds.scaled_rows`; the rest may change.
"""

from s2auc.models.files.file import ModelFileError, load_model, save_model
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.kinds import PARTS
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.projected_part import ProjectedPart

__all__ = [
    "PARTS",
    "CosinePart",
    "KernelPart",
    "LinearPart",
    "Model",
    "ModelFileError",
    "Part",
    "ProjectedPart",
    "TreePart",
    "load_model",
    "save_model",
]
