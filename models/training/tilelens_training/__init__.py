"""How Tilelens's networks are made: pictures are rendered, samples drawn from them and from photos, networks trained, exported, measured.

Run a module from models/training: `python -m tilelens_training.train.detector --help`. A subpackage imports from those before it alone:
render, data, train, export, measure; the modules beside them are for all of them.
"""
