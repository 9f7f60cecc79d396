"""Figures, temperatures and judges."""

import numpy as np
import pytest

from tilelens_training.data.evaluation import Truth, predict_all, score
from tilelens_training.measure import accuracy, calibrate, card_tables, rule_ablation
from tilelens_training.train import judges


def test_intervals_and_calibration():
    low, high = calibrate.wilson(42, 42)
    assert (round(low, 4), high) == (0.9162, pytest.approx(1))
    assert calibrate.wilson(0, 0) == (0, 1)
    sure = np.eye(4)[[0, 1, 2, 3]]
    assert calibrate.calibration_error(sure, np.arange(4)) == 0
    assert calibrate.calibration_error(sure, np.array([0, 1, 0, 0])) == pytest.approx(0.5)


def test_the_temperature_of_made_logits_is_found_again():
    random = np.random.default_rng(1)
    true = random.normal(0, 2, (20_000, 6))
    faces = (true + random.gumbel(0, 1, true.shape)).argmax(1)  # drawn as the softmax of `true` says
    assert calibrate.fit(1.7 * true, faces) == pytest.approx(1.7, rel=0.05)
    rows = calibrate.reliability(1.7 * true, faces, 1.7)
    assert sum(row[2] for row in rows) == len(faces)
    assert all(abs(row[3] - row[4]) < 0.05 for row in rows)


def test_a_classifier_is_scored_by_kind():
    turns = np.eye(4, dtype=bool)[[0, 1, 2]]
    truth = Truth(np.array([3, 40, 5]), turns, np.zeros(3), np.zeros(3), np.array(["photo", "box", "crop"]))
    logits = np.eye(44)[[3, 40, 6]]

    def predict(crops):
        return logits[crops], np.eye(4)[[0, 2, 2]][crops], np.zeros((len(crops), 1))

    assert [len(part) for part in predict_all(predict, np.arange(3), size=2)] == [3, 3, 3]
    assert score(predict, np.arange(3), truth) == {"photo": 1, "box": 1, "crop": 0, "bonus": 1, "turn": 0.5}


def test_counts_and_shares_as_printed():
    share = {"good": 3, "of": 4, "share": 0.75, "interval": [0.3, 0.954]}
    assert accuracy.counts({"photos": 2, "shares": {"a": share, "b": {"good": 0, "of": 0}}}) == {"photos": 2, "shares": {"a": [3, 4]}}
    assert card_tables.share({"shares": {"a": share}}, "a") == "75.00 % [30.0, 95.4] 3/4"
    assert card_tables.corners({"corner_error": {"n": 9, "median_p95": [0.051, 0.2]}}) == "5.1 % / 20.0 % (n 9)"
    assert [rule_ablation.plain(code) for code in ("0p", "5p", "7z")] == ["5p", "5p", "7z"]


def test_a_judge_learns_what_can_be_told_apart():
    random = np.random.default_rng(2)
    x = random.normal(0, 1, (1500, 4))
    y = (x[:, 0] * x[:, 1] > 0).astype(float)
    judge = judges.teach(x, y, np.ones(len(y)), epochs=60, decay=1e-4, batch=64)
    fresh = random.normal(0, 1, (500, 4))
    right = (judges.logits(judge, fresh) > 0) == (fresh[:, 0] * fresh[:, 1] > 0)
    assert right.mean() > 0.93


def test_a_judge_is_stretched_to_what_it_was_right_in(capsys):
    random = np.random.default_rng(3)
    said = random.normal(0, 3, 4000)
    y = (random.random(4000) < 1 / (1 + np.exp(-0.5 * said - 0.3))).astype(float)
    judge = judges.calibrated({"out": np.ones(2), "out_bias": 0.0}, said, y)
    assert judge["out"] == pytest.approx(0.5, abs=0.08) and judge["out_bias"] == pytest.approx(0.3, abs=0.12)
    assert "logits times 0.5" in capsys.readouterr().out or judge["out"][0] != 0.5


@pytest.mark.parametrize(
    ("best", "code", "covered", "ignore", "answer"),
    [(0.8, "1m", 1, False, 1.0), (0.8, "1m", 1, True, None), (0.1, "1m", 0.9, False, 0.0), (0.0, None, 0.0, False, 0.0), (0.4, "1m", 0.5, False, None)],
)
def test_answers_for_the_judge_of_tiles(best, code, covered, ignore, answer):
    nearest = code and {"code": code, "ignore": ignore}
    assert judges.is_tile("hk-hands", {"complete": True}, best, nearest, covered) == answer


def test_answers_for_the_judge_of_white_dragons():
    for code, answer in (("5z", 1.0), ("6z", 0.0)):
        assert judges.is_white("", {"complete": True}, 0.6, {"code": code}, 1) == answer
    assert judges.is_white("", {"complete": False}, 0.0, None, 0.0) is None
    assert judges.box([[3, 4], [1, 9]]) == [1, 4, 3, 9] and judges.shared([0, 0, 2, 2], [1, 1, 3, 3]) == 1
