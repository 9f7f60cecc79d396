"""Where things lie: the repository, the shared data beside it, and the folder for what training makes."""

from pathlib import Path

TRAINING = Path(__file__).resolve().parents[1]
ROOT = TRAINING.parents[1]
MODELS = ROOT / "models"
DATASETS = ROOT / "datasets"
DATA = ROOT.parent / "shared/data"
PROGRAM = ROOT / "target/release/tilelens"
MADE = ROOT / "target/training"
