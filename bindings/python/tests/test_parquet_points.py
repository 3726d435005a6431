"""Points from Parquet to Parquet."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lanecast

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from test_arrow_points import AXES, QUERIES, batch_of, closed, some_points
from test_parquet import ROWS, Stop, bytes_of, read, stop_after


@pytest.fixture(scope="module")
def scene():
    return closed()


@pytest.fixture(scope="module")
def table():
    names = pa.array([f"tree {row % 7}" for row in range(ROWS)])
    return pa.Table.from_batches([batch_of(some_points(ROWS), tree=names)])


@pytest.fixture
def source(table, tmp_path):
    path = tmp_path / "points.parquet"
    # No multiple of anything below.
    pq.write_table(table, path, row_group_size=1111)
    return path


@pytest.mark.parametrize("query", QUERIES)
def test_answers_from_parquet_are_those_of_one_batch(scene, table, source, tmp_path, query):
    options = QUERIES[query]
    how = dict(rows_per_file=3000, batch_rows=700, **options)
    done = lanecast.points_parquet(scene, source, tmp_path / "answers", query, **how)
    assert (done.rows, done.cast) == (ROWS, ROWS)
    assert sorted(os.listdir(tmp_path / "answers")) == [f"part-00000{part}.parquet" for part in range(4)]
    want = lanecast.points_arrow(scene, table.combine_chunks().to_batches()[0], query, **options)
    assert read(tmp_path / "answers").equals(pa.Table.from_batches([want]))


@pytest.mark.parametrize("query", ["signed", "within"])
def test_a_stopped_call_is_resumed_without_asking_again(scene, source, tmp_path, query):
    how = dict(query=query, rows_per_file=1500, batch_rows=400, **QUERIES[query])
    lanecast.points_parquet(scene, source, tmp_path / "whole", **how)
    folder = tmp_path / "stopped"
    with pytest.raises(Stop):
        lanecast.points_parquet(scene, source, folder, progress=stop_after(4300), **how)
    there = bytes_of(folder)
    assert len(there) == 2
    seen = []
    done = lanecast.points_parquet(
        scene, source, folder, progress=lambda *at: seen.append(at), threads=1, **how
    )
    assert (done.rows, done.cast) == (ROWS, ROWS - 3000)
    assert seen[0] == (3000, ROWS) and seen[-1] == (ROWS, ROWS)
    assert bytes_of(folder) == bytes_of(tmp_path / "whole")
    assert {name: bytes_of(folder)[name] for name in there} == there
    assert lanecast.points_parquet(scene, source, folder, **how).cast == 0


def test_what_is_of_another_call_is_refused_by_name(scene, table, source, tmp_path):
    # What is a table of rays too.
    axes = dict(zip(("dx", "dy", "dz"), table.columns))
    both = {**axes, **dict(zip(("ox", "oy", "oz"), table.columns)), **dict(zip(AXES, table.columns))}
    pq.write_table(pa.table(both), source)
    answers = tmp_path / "answers"
    lanecast.points_parquet(scene, source, answers, "closest", ["status"], keep=[])
    before = bytes_of(answers)
    with pytest.raises(ValueError, match="has answers of another query"):
        lanecast.cast_parquet(scene, source, answers, "closest", ["status"], keep=[])
    for change in ({"query": "distance"}, {"radius": 2.0}, {"columns": ["u"]}):
        how = {"query": "closest", "columns": ["status"], "keep": [], **change}
        with pytest.raises(ValueError, match="has answers of another query"):
            lanecast.points_parquet(scene, source, answers, **how)
    assert bytes_of(answers) == before


def test_the_command_takes_points(scene, source, tmp_path, capsys):
    from lanecast.parquet import main

    scene.save(tmp_path / "torus.scene")
    paths = [str(tmp_path / "torus.scene"), str(source)]
    for query, options in {
        "within": ["--radius", "0.5"],
        "nearest": ["--count", "2"],
        "signed": ["--generalised-winding", "3"],
        "winding": ["--accuracy", "4"],
    }.items():
        folder = str(tmp_path / query)
        assert main([*paths, folder, "--points", "--query", query, "--rows-per-file", "4000", *options]) == 0
        assert capsys.readouterr().err == "10,000 points, 10,000 of them cast now, in 3 files\n"
        named = {options[0][2:].replace("-", "_"): float(options[1]) if query != "nearest" else 2}
        want = lanecast.points_arrow(scene, pq.read_table(source), query, **named)
        assert read(folder).equals(want.combine_chunks())
    assert main([*paths, str(tmp_path / "none"), "--points", "--query", "all"]) == 1
    assert "query: it is 'all'; closest, distance" in capsys.readouterr().err
    assert main([*paths, str(tmp_path / "none"), "--query", "closest"]) == 1
    assert 'no column "ox", "oy", "oz", nor "origin"' in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_is_bounded_by_the_batch_and_not_by_the_row_group(scene, tmp_path):
    scene.save(tmp_path / "torus.scene")
    # Of this program alone; the peak that getrusage has begins with that of the process which started it.
    code = (
        "import sys; from lanecast.parquet import main; main(sys.argv[1:])\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    peaks = []
    for name, rows in (("few", 500_000), ("many", 16_000_000)):
        points = pa.Table.from_batches([batch_of(some_points(500_000))] * (rows // 500_000))
        pq.write_table(points, tmp_path / f"{name}.parquet", row_group_size=rows)
        command = [sys.executable, "-c", code, tmp_path / "torus.scene", tmp_path / f"{name}.parquet"]
        # No radius, which costs little.
        command += [tmp_path / name, "--points", "--radius", "0", "--columns", "status"]
        peaks.append(int(subprocess.check_output(command, text=True)) / 1024)
    print(peaks)
    assert peaks[1] < peaks[0] + 90, f"{peaks} MiB; the columns of points of the larger file are 183 MiB"


def test_the_recipe_of_the_guide_runs(scene, table, tmp_path, monkeypatch):
    """By its words, on the scheduler that Dask has without a cluster."""
    for module in ("dask.dataframe", "pandas"):
        pytest.importorskip(module)
    text = (Path(__file__).parents[3] / "docs/guide/clusters.md").read_text(encoding="utf-8")
    recipe = re.search(r"\n## Points\n.*?```python\n(.*?)```", text, re.DOTALL).group(1)
    (tmp_path / "points").mkdir()
    for part in range(4):
        piece = table.slice(part * ROWS // 4, ROWS // 4)
        pq.write_table(piece, tmp_path / "points" / f"{part}.parquet")
    scene.save(tmp_path / "solid.scene")
    monkeypatch.chdir(tmp_path)
    exec(recipe, {})
    answers = pq.read_table("distances", columns=["status", "distance", "tree"])
    want = lanecast.points_arrow(scene, table, "signed").select(["status", "distance", "tree"])
    assert answers.to_pydict() == want.to_pydict()
