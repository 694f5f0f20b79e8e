# SPDX-License-Identifier: Apache-2.0
"""Networks: the bytes of the program, weights and histories as arrays, models as lenses."""
import json
import subprocess
import threading

import numpy as np
import pytest

import dgm

OPTIONS = {"split": "0.6,0.2", "epochs": 30, "seed": 3}


@pytest.fixture(scope="module")
def classifier():
    return dgm.train("karate", **OPTIONS)


def by_program(program, model, folder, **options):
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    told = subprocess.run([program, "train", model, "karate", *words, "--json", "--quiet", "-o", str(folder / "m.safetensors"),
                           "--embedding", str(folder / "m.npy")], check=True, capture_output=True, text=True)
    return json.loads(told.stdout), (folder / "m.safetensors").read_bytes(), np.load(folder / "m.npy")


@pytest.mark.parametrize("model, options", [
    ("gcn", OPTIONS),
    ("gcn", {"split": "0.5,0.2", "preset": "kipf", "epochs": 20, "patience": 5, "class_weights": "balanced", "hidden": "8"}),
    ("dgi", {"hidden": "16", "epochs": 10, "seed": 2}),
])
def test_bytes_and_numbers_are_those_of_the_program(program, tmp_path, model, options):
    theirs, weights, embedding = by_program(program, model, tmp_path, **options)
    made = dgm.train("karate", model, **options)
    made.save(tmp_path / "ours.safetensors")
    assert (tmp_path / "ours.safetensors").read_bytes() == weights
    assert np.array_equal(made.embedding, embedding)
    for name in ("loss", "train_accuracy", "val_accuracy", "test_accuracy", "macro_f1"):
        assert theirs[name] is None or made.report[name] == pytest.approx(theirs[name], abs=1e-12)
    assert theirs["epochs"] == made.report["epochs"] and theirs["confusion"] == made.report["confusion"].tolist()


def test_a_training_is_remembered(classifier):
    history = classifier.history
    assert history["epoch"].tolist() == list(range(1, 31))
    assert history["loss"][-1] == classifier.report["loss"] and np.all(np.isfinite(history["loss"]))
    assert np.all((history["accuracy"] >= 0) & (history["accuracy"] <= 1))
    assert np.isfinite(history["val_loss"]).any()
    assert sorted(set(classifier.splits)) == [1, 2, 3]
    assert "test nodes right" in repr(classifier)


def test_weights_have_the_shapes_of_pytorch(classifier):
    weights = classifier.weights
    assert set(weights) >= {"conv1.lin.weight", "conv1.bias", "conv2.lin.weight", "conv2.bias"}
    hidden = len(weights["conv1.bias"])
    assert weights["conv1.lin.weight"].shape == (hidden, 34)  # one-hot features
    assert weights["conv2.lin.weight"].shape == (classifier.width, hidden)
    with pytest.raises(ValueError):
        weights["conv1.bias"][0] = 1


def test_the_weights_make_the_answer():
    """Two convolutions by hand: relu(P X W + b), then P h W + b."""
    networkx = pytest.importorskip("networkx")
    club = networkx.karate_club_graph()
    for node, facts in club.nodes(data=True):
        facts["label"] = facts["club"]
    made = dgm.train(club, split="0.6,0.2", preset="kipf", epochs=10)
    a = networkx.to_numpy_array(club) + np.eye(34)
    root = 1 / np.sqrt(a.sum(axis=1))
    p, w = root[:, None] * a * root, made.weights
    hidden = np.maximum(p @ w["conv1.lin.weight"].T + w["conv1.bias"], 0)
    assert np.allclose(p @ hidden @ w["conv2.lin.weight"].T + w["conv2.bias"], made.embedding, atol=1e-4)


def test_a_model_comes_back_from_its_file(classifier, tmp_path):
    classifier.save(tmp_path / "model.safetensors")
    again = dgm.load(tmp_path / "model.safetensors")
    assert (again.kind, again.width, again.classifies) == (classifier.kind, classifier.width, True)
    assert np.array_equal(again.embed("karate"), classifier.embedding) and np.array_equal(again("karate"), classifier.embedding)
    assert np.array_equal(again.predict("karate").classes, classifier.predictions.classes)
    assert all(np.array_equal(again.weights[name], values) for name, values in classifier.weights.items())
    assert len(again.history) == 0 and again.splits is None and again.report == {}
    for ask in (lambda: again.embedding, lambda: again.predictions):
        with pytest.raises(ValueError):
            ask()
    with pytest.raises(dgm.Error):
        dgm.load(tmp_path / "nothing.safetensors")


def test_predictions_are_classes_and_probabilities(classifier):
    says = classifier.predictions
    assert np.allclose(says.probabilities.sum(axis=1), 1, atol=1e-5)
    assert np.array_equal(says.classes, says.probabilities.argmax(axis=1))
    assert says.names == dgm.graph("karate").classes
    right = says.classes == dgm.graph("karate").labels
    assert right[classifier.splits == 3].mean() == pytest.approx(classifier.report["test_accuracy"])
    with pytest.raises(ValueError):
        dgm.train("karate", "dgi", hidden=4, epochs=2).predict()


def test_a_model_is_a_lens(classifier):
    graph = classifier.graph
    by_model = dgm.map(graph, lens=classifier, intervals=4, overlap=0.3)
    by_array = dgm.map(graph, lens=classifier.embedding, intervals=4, overlap=0.3)
    assert by_model.to_dict()["nodes"] == by_array.to_dict()["nodes"]
    mistakes = dgm.map(graph, lens=classifier, predictions=classifier.predictions.probabilities, intervals=4, overlap=0.3)
    assert mistakes.nodes["mistakes"].sum() >= 0 and "judged" in mistakes.nodes.dtype.names


def test_wrong_options_are_told_apart(tmp_path):
    with pytest.raises(ValueError, match="did you mean 'epochs'"):
        dgm.train("karate", epoch=3)
    with pytest.raises(ValueError, match="epochs"):
        dgm.train("karate", epochs=-3)
    with pytest.raises(ValueError):
        dgm.train("karate", "gat")
    with pytest.raises(ValueError):
        dgm.train("karate", "dgi", class_weights="balanced")  # an option of gcn
    with pytest.raises(dgm.Error, match="split"):
        dgm.train("karate")


def test_a_training_is_told_of_and_ended():
    heard = []
    dgm.train("karate", "dgi", epochs=300, patience=0, progress=lambda stage, share: heard.append(stage))
    assert any("epoch" in stage for stage in heard)
    with pytest.raises(dgm.Error) as error:
        dgm.train("karate", "dgi", epochs=100000, patience=0, progress=lambda stage, share: False)
    assert error.value.code == "cancelled"

    def fall(stage, share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dgm.train("karate", "dgi", epochs=100000, patience=0, progress=fall)


def test_an_interrupted_training_goes_on_from_its_checkpoint(tmp_path):
    path = tmp_path / "run.ckpt"
    options = {"hidden": "8", "patience": 0, "preset": "dgi"}
    whole = dgm.train("karate", "dgi", epochs=12, **options)
    dgm.train("karate", "dgi", epochs=5, checkpoint=path, checkpoint_every=5, **options)
    rest = dgm.train("karate", "dgi", epochs=12, checkpoint=path, checkpoint_every=5, **options)
    assert np.array_equal(whole.embedding, rest.embedding)
    assert rest.history["epoch"].tolist() == list(range(6, 13))


def test_the_interpreter_is_free_meanwhile():
    count, done = 0, threading.Event()

    def work():
        dgm.train("karate", "dgi", epochs=2000, patience=0, hidden=64)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        count += 1
        done.wait(0.001)
    thread.join()
    assert count > 3


def test_many_calls_leave_nothing_behind():
    """Networks, sets and coarsenings are freed with the objects that hold them."""
    from test_calls import leaves_nothing

    ring = np.roll(np.eye(64), 1, axis=1)
    edges = np.argwhere(ring + ring.T)

    def work():
        model = dgm.train(dgm.graph(edges), "dgi", hidden=8, epochs=2)
        model.weights, model.history, model.embedding, model.embed(edges)
        dgm.pool.pool(edges, "mpr:clusters=4")

    assert leaves_nothing(work, 200)
