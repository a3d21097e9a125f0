"""Reports on models: one HTML file for people, about a model and a table.

In the order data flow: `write_report` is the door. `reported_rows` opens rows and labels, `judged_rows` chooses those
that the ranking is judged by, and `table_pass` passes over all of them once, with `score_histogram`, which counts
scores as they come. `importance` and `partial_effects` ask what the score owes to columns, which `source_columns`
shuffles and replaces; `recorded` makes ready what the record of the model says, whoever wrote it. `findings` holds all
of it. Sections turn findings into words: `headline`, `data_section`, `settings_section`, `ranking_sections`,
`column_sections`, `list_section` and `origin_section`, with drawings from `score_figures` and `effect_figures`, which
are made by `charts`. `markup` is where text becomes HTML, escaped; `page` puts sections together, and `style.css` says
how they look.

From outside, use `write_report`; `measure_importance` and `partial_effect` are of use by themselves. A new section is a
function of findings, and an entry of `SECTIONS` in `page`.
"""

from s2auc.reports.measures.importance import Importance, measure_importance
from s2auc.reports.measures.partial_effects import PartialEffect, partial_effect
from s2auc.reports.write_report import WrittenReport, write_report

__all__ = ["Importance", "PartialEffect", "WrittenReport", "measure_importance", "partial_effect", "write_report"]
