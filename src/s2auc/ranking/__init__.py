"""Losses of pairs, objectives made of them, metrics, intervals and thresholds.

Scores come in as arrays by group; nothing here knows of rows or models. A new loss is an entry of `losses.LOSSES`, a
new kind of pair a class as `pairs.PairRule` describes.
"""
