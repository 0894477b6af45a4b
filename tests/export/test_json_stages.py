"""JSON of the stages follows the published schemas."""

import json

import pytest
from export_models import ALL, EXAMPLES, ROOT, model_of
from schema_checker import problems

import freewheel as fw
from freewheel.export import ExportOptions, export_model
from freewheel.export.json_stages import KINDS, schema_of
from freewheel.export.options import STAGES


def published(stage):
    return json.loads((ROOT / "docs" / "schemas" / f"{stage}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("stage", STAGES)
def test_the_published_schema_is_that_of_the_nodes(stage):
    """If nodes have changed: python scripts/write_schemas.py."""
    assert published(stage) == json.loads(json.dumps(schema_of(stage)))
    assert stage in KINDS


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_valid(name, stage):
    (text,) = export_model(model_of(name), "json", ExportOptions(stage=stage)).values()

    assert problems(json.loads(text), published(stage)) == []


@pytest.mark.parametrize("file", ["delay_equation.mo", "turning_pipe.mo"])
@pytest.mark.parametrize("stage", STAGES)
def test_models_that_other_targets_refuse_are_valid_too(file, stage):
    model = fw.load(EXAMPLES / file)
    (text,) = export_model(model, "json", ExportOptions(stage=stage)).values()

    assert problems(json.loads(text), published(stage)) == []


def test_all_stages_come_as_files_of_their_own():
    texts = export_model(model_of("limited"), "json")

    assert list(texts) == [f"Limited.{stage}.json" for stage in STAGES]


@pytest.mark.parametrize("name", ["sampled", "limited", "called"])
def test_places_in_files_are_left_out(name):
    for text in export_model(model_of(name), "json").values():
        assert "models.mo" not in text


def test_the_content_tells_the_model():
    texts = export_model(model_of("limited"), "json")
    flat = json.loads(texts["Limited.flat.json"])["content"]
    program = json.loads(texts["Limited.program.json"])["content"]

    assert [v["name"] for v in flat["variables"]] == ["high", "low", "x", "v", "y"]
    assert flat["equations"][0]["left"] == {"call": "der", "args": [{"var": "x"}]}
    assert [s["name"] for s in program["state_slots"]] == ["x", "v"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["content"].pop("variables"), "`variables` is missing"),
        (lambda d: d["content"].update(more=1), "`more` is not known"),
        (lambda d: d.update(model=3), "int is not string"),
    ],
)
def test_wrong_data_is_found(change, words):
    (text,) = export_model(model_of("limited"), "json", ExportOptions(stage="flat")).values()
    data = json.loads(text)
    change(data)

    assert any(words in problem for problem in problems(data, published("flat")))
