"""Fitted models: how they score rows, describe themselves, and are kept in files.

In the order data flow: `part` says what a term of the score is and lists the kinds, `cosine_part` and `kernel_part`,
which `part_checks` checks; `model` adds parts up; `record` bounds what is remembered of the fit; `model_summary` puts a
model in a line or a table. `file` saves and loads: `file_description` turns a model into JSON and arrays, with the help
of `file_columns`, `file_schema`, `file_classes` and `file_json`, `file_bytes` these into bytes, and `file_checks` says
whether values make sense.

Other rooms use the names below and `s2auc.models.record.check_record`; the rest may change.
"""

from s2auc.models.cosine_part import CosinePart
from s2auc.models.file import ModelFileError, load_model, save_model
from s2auc.models.kernel_part import KernelPart
from s2auc.models.model import Model
from s2auc.models.part import PARTS, Part

__all__ = ["PARTS", "CosinePart", "KernelPart", "Model", "ModelFileError", "Part", "load_model", "save_model"]
