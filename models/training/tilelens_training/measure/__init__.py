"""Figures of the reader and its networks."""
