"""Rays from Parquet to Parquet."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import lanecast

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from test_arrow import QUERIES, batch_of, some_rays, soup

ROWS = 10_000


@pytest.fixture(scope="module")
def scene():
    return soup()


@pytest.fixture(scope="module")
def rays():
    names = pa.array([f"beam {row % 7}" for row in range(ROWS)])
    return pa.Table.from_batches([batch_of(some_rays(ROWS), beam=names)])


@pytest.fixture
def source(rays, tmp_path):
    path = tmp_path / "rays.parquet"
    # No multiple of anything below.
    pq.write_table(rays, path, row_group_size=1111)
    return path


def read(folder):
    return pq.read_table(folder).combine_chunks()


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Stop(Exception):
    pass


def stop_after(rays):
    def progress(done, total):
        if done >= rays:
            raise Stop

    return progress


@pytest.mark.parametrize("query", QUERIES)
def test_answers_are_those_of_one_batch(scene, rays, source, tmp_path, query):
    options = QUERIES[query]
    done = lanecast.cast_parquet(
        scene, source, tmp_path / "hits", query, rows_per_file=3000, batch_rows=700, **options
    )
    assert (done.rows, done.cast) == (ROWS, ROWS)
    assert [path.name for path in done.files] == [f"part-00000{part}.parquet" for part in range(4)]
    assert sorted(os.listdir(tmp_path / "hits")) == [path.name for path in done.files]
    want = lanecast.cast_arrow(scene, rays.combine_chunks().to_batches()[0], query, **options)
    assert read(tmp_path / "hits").equals(pa.Table.from_batches([want]))
    if query not in ("all", "nearest"):
        assert [pq.read_metadata(path).num_rows for path in done.files] == [3000, 3000, 3000, 1000]


def test_a_stopped_call_is_resumed_without_casting_again(scene, source, tmp_path):
    how = dict(rows_per_file=1500, batch_rows=400)
    lanecast.cast_parquet(scene, source, tmp_path / "whole", **how)
    # In the first file, within the third, and at the end of the fourth, which has no name by then.
    for stop, complete in ((400, 0), (4300, 3000), (6000, 4500)):
        folder = tmp_path / f"stopped at {stop}"
        with pytest.raises(Stop):
            lanecast.cast_parquet(scene, source, folder, progress=stop_after(stop), **how)
        there = bytes_of(folder)
        assert len(there) == complete // 1500
        seen = []
        done = lanecast.cast_parquet(scene, source, folder, progress=lambda *at: seen.append(at), **how)
        assert done.cast == ROWS - complete and done.rows == ROWS
        assert seen[0] == (complete, ROWS) and seen[-1] == (ROWS, ROWS) and seen == sorted(seen)
        assert bytes_of(folder) == bytes_of(tmp_path / "whole")
        assert {name: bytes_of(folder)[name] for name in there} == there
    assert lanecast.cast_parquet(scene, source, folder, **how).cast == 0


def test_a_file_that_was_removed_is_the_only_one_cast_again(scene, source, tmp_path):
    how = dict(rows_per_file=1500, batch_rows=400)
    done = lanecast.cast_parquet(scene, source, tmp_path / "hits", **how)
    before = bytes_of(tmp_path / "hits")
    done.files[2].unlink()
    done.files[5].unlink()
    again = lanecast.cast_parquet(
        scene, source, tmp_path / "hits", threads=1, backend="portable", batch_rows=999, rows_per_file=1500
    )
    assert again.cast == 3000
    assert read(tmp_path / "hits").equals(
        pa.concat_tables(pq.read_table(pa.BufferReader(before[name])) for name in sorted(before))
    )


def test_a_killed_process_leaves_complete_files_only(scene, source, tmp_path):
    scene.save(tmp_path / "soup.scene")
    code = (
        "import lanecast, os, signal, sys\n"
        "kill = lambda done, total: done >= 4300 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "lanecast.cast_parquet(*sys.argv[1:], rows_per_file=1500, batch_rows=400, progress=kill)\n"
    )
    arguments = [sys.executable, "-c", code, tmp_path / "soup.scene", source, tmp_path / "hits"]
    assert subprocess.run(arguments).returncode == -signal.SIGKILL
    assert len(list((tmp_path / "hits").glob("*.parquet"))) == 2
    done = lanecast.cast_parquet(tmp_path / "soup.scene", source, tmp_path / "hits", rows_per_file=1500)
    assert done.cast == ROWS - 3000 and sorted(os.listdir(tmp_path / "hits")) == [
        path.name for path in done.files
    ]


def test_the_command_stops_at_once_by_ctrl_c_and_resumes(scene, tmp_path):
    scene.save(tmp_path / "soup.scene")
    many = pa.Table.from_batches([batch_of(some_rays(100_000))] * 8)
    pq.write_table(many, tmp_path / "rays.parquet")
    command = [
        sys.executable,
        "-m",
        "lanecast.parquet",
        tmp_path / "soup.scene",
        tmp_path / "rays.parquet",
        tmp_path / "hits",
    ]
    command += ["--query", "count", "--rows-per-file", "40000", "--threads", "1"]
    # Shells have what runs in the background ignore Ctrl-C, and so would this.
    as_usual = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=as_usual)
    while not list(tmp_path.glob("hits/*.parquet")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    said = process.communicate()[1]
    assert process.returncode == 130 and said.startswith("\nstopped; the same command goes on")
    assert time.monotonic() - sent < 5
    there = bytes_of(tmp_path / "hits")
    assert 0 < len(there) < 20 and all(name.startswith("part") for name in there)
    again = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert again.returncode == 0
    assert again.stderr == f"800,000 rays, {800_000 - 40_000 * len(there):,} of them cast now, in 20 files\n"
    assert {name: bytes_of(tmp_path / "hits")[name] for name in there} == there
    assert (
        read(tmp_path / "hits")["count"].to_numpy().tolist()
        == scene.count_hits(some_rays(100_000)).tolist() * 8
    )


def test_what_is_of_another_call_is_refused_by_name(rays, source, tmp_path):
    # A scene of no file.
    scene, hits = soup(), tmp_path / "hits"
    with pytest.raises(Stop):
        lanecast.cast_parquet(scene, source, hits, rows_per_file=1500, progress=stop_after(3000))
    before = bytes_of(hits)
    other = tmp_path / "other" / "rays.parquet"
    other.parent.mkdir()
    values = rays["dz"].to_numpy().copy()
    values[5000] += 1
    pq.write_table(rays.set_column(5, "dz", pa.array(values)), other, row_group_size=1111)
    named = {
        "scene": dict(scene=soup(seed=4)),
        "query": dict(query="any"),
        "source": dict(source=other),
        "rows_per_file": dict(rows_per_file=1000),
    }
    for name, change in named.items():
        how = {"scene": scene, "source": source, "rows_per_file": 1500, **change}
        with pytest.raises(ValueError, match=f"part-000000.parquet has answers of another {name}"):
            lanecast.cast_parquet(destination=hits, **how)
    for change in (dict(t_max=np.float32(3)), dict(columns=["t"]), dict(keep=[])):
        with pytest.raises(ValueError, match="has answers of another query"):
            lanecast.cast_parquet(scene, source, hits, rows_per_file=1500, **change)
    assert bytes_of(hits) == before
    # The same rays and the same scene elsewhere are the same.
    pq.write_table(rays, other, row_group_size=1111)
    soup().save(tmp_path / "soup.scene")
    assert lanecast.cast_parquet(tmp_path / "soup.scene", other, hits, rows_per_file=1500).cast == ROWS - 1500


def test_answers_that_are_none_are_refused_by_name(scene, source, tmp_path):
    hits = tmp_path / "hits"
    hits.mkdir()
    pq.write_table(pa.table({"a": [1]}), hits / "notes.parquet")
    with pytest.raises(ValueError, match="notes.parquet is no file of answers"):
        lanecast.cast_parquet(scene, source, hits)
    (hits / "notes.parquet").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(ValueError, match="notes.parquet: .*; remove it, and its rows are answered again"):
        lanecast.cast_parquet(scene, source, hits)


def test_a_folder_that_another_call_writes_to_is_refused(scene, source, tmp_path):
    pytest.importorskip("fcntl")
    refused = []

    def meanwhile(done, total):
        if not refused:
            with pytest.raises(ValueError, match="another call writes to"):
                lanecast.cast_parquet(scene, source, tmp_path / "hits")
            refused.append(done)

    assert lanecast.cast_parquet(scene, source, tmp_path / "hits", progress=meanwhile).cast == ROWS
    assert refused == [0]


def test_folders_and_lists_of_files_are_one_table(scene, rays, tmp_path):
    folder = tmp_path / "rays"
    (folder / "b").mkdir(parents=True)
    paths = [
        folder / "a.parquet",
        folder / "b" / "0.parquet",
        folder / "b" / "1.parquet",
        folder / "c.parquet",
    ]
    for path, first, rows in zip(paths, (0, 4000, 4000, 4001), (4000, 0, 1, 5999)):
        pq.write_table(rays.slice(first, rows), path)
    (folder / "_hidden.parquet").write_bytes(b"no Parquet")
    (folder / "notes.txt").write_bytes(b"nor this")
    for number, given in enumerate((folder, str(folder), paths)):
        hits = tmp_path / f"hits{number}"
        assert lanecast.cast_parquet(scene, given, hits, rows_per_file=3000).rows == ROWS
        answers = read(hits)
        assert answers["ray_id"].to_pylist() == list(range(ROWS)) and answers["beam"].equals(rays["beam"])
    with pytest.raises(ValueError, match="destination: .* is in the source"):
        lanecast.cast_parquet(scene, folder, folder / "hits")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"source: there are no files \*.parquet in"):
        lanecast.cast_parquet(scene, tmp_path / "empty", tmp_path / "none")
    pq.write_table(rays.drop_columns(["beam"]), folder / "c.parquet")
    with pytest.raises(ValueError, match="c.parquet: its columns are not those of .*a.parquet"):
        lanecast.cast_parquet(scene, folder, tmp_path / "none")
    paths[2].write_bytes(b"no Parquet")
    with pytest.raises(ValueError, match="1.parquet: "):
        lanecast.cast_parquet(scene, folder, tmp_path / "none")
    with pytest.raises(FileNotFoundError, match="absent"):
        lanecast.cast_parquet(scene, tmp_path / "absent", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_no_rays_make_a_file_without_rows(scene, rays, tmp_path):
    pq.write_table(rays.slice(0, 0), tmp_path / "rays.parquet")
    done = lanecast.cast_parquet(scene, tmp_path / "rays.parquet", tmp_path / "hits")
    assert (done.rows, done.cast, len(done.files)) == (0, 0, 1)
    some = lanecast.cast_arrow(scene, rays.slice(0, 1))
    assert read(tmp_path / "hits").schema.equals(some.schema)


def test_only_the_columns_wanted_are_read(scene, rays, source, tmp_path, monkeypatch):
    asked = []
    iter_batches = pq.ParquetFile.iter_batches
    monkeypatch.setattr(
        pq.ParquetFile,
        "iter_batches",
        lambda file, *a, **k: asked.append(k["columns"]) or iter_batches(file, *a, **k),
    )
    lanecast.cast_parquet(scene, source, tmp_path / "hits", keep=[])
    assert asked == [["ox", "oy", "oz", "dx", "dy", "dz"]]


def test_progress_may_be_a_bar(scene, source, tmp_path):
    class Bar:
        n, total = 0, None

        def update(self, more):
            self.n += more

    bar = Bar()
    lanecast.cast_parquet(scene, source, tmp_path / "hits", progress=bar)
    assert (bar.n, bar.total) == (ROWS, ROWS)
    bar.n, bar.total = 5, 9 * ROWS
    lanecast.cast_parquet(scene, source, tmp_path / "others", progress=bar)
    assert (bar.n, bar.total) == (5 + ROWS, 9 * ROWS)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_is_bounded_by_the_batch_and_not_by_the_row_group(scene, tmp_path):
    scene.save(tmp_path / "soup.scene")
    # Of this program alone; the peak that getrusage has begins with that of the process which started it.
    code = (
        "import sys; from lanecast.parquet import main; main(sys.argv[1:])\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    peaks = []
    for name, rows in (("few", 500_000), ("many", 8_000_000)):
        rays = pa.Table.from_batches([batch_of(some_rays(500_000))] * (rows // 500_000))
        pq.write_table(rays, tmp_path / f"{name}.parquet", row_group_size=rows)
        command = [
            sys.executable,
            "-c",
            code,
            tmp_path / "soup.scene",
            tmp_path / f"{name}.parquet",
            tmp_path / name,
        ]
        # Rays of no length, which cost little.
        command += ["--query", "any", "--t-max", "0"]
        peaks.append(int(subprocess.check_output(command, text=True)) / 1024)
    print(peaks)
    assert peaks[1] < peaks[0] + 90, f"{peaks} MiB; the columns of rays of the larger file are 183 MiB"


def test_what_the_command_refuses_it_names(tmp_path, capsys):
    from lanecast.parquet import main

    assert main([str(tmp_path / "absent.scene"), str(tmp_path), str(tmp_path / "hits")]) == 1
    assert "absent.scene" in capsys.readouterr().err
