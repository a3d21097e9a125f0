"""Drawings of the page, as SVG."""
