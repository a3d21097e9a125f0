"""Measurements that the page shows."""
