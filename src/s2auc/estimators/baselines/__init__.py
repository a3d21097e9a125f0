"""The systems that s2auc is measured against, as estimators of their own."""
