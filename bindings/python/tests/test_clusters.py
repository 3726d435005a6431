"""A million rays on Spark, Ray Data and Dask, with two workers each, by the code in examples."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import numpy as np
import pytest

import lanecast

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from test_arrow import batch_of, some_rays, soup

RAYS, FILES = 1_000_000, 8


HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
sys.path.insert(0, str(EXAMPLES))


@pytest.fixture(autouse=True)
def paths_of_workers(monkeypatch):
    """Workers find this module and the examples by their names."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), str(EXAMPLES)]))


class Watched:
    """Notes the processor's time of casts on workers; one is killed when half of the files are done."""

    def __init__(self, folder, kill):
        self.folder, self.kill = folder, kill
        folder.mkdir()

    def __call__(self, cast):
        begun = time.process_time()
        answers = cast()
        (self.folder / f"{uuid.uuid4()}.seconds").write_text(str(time.process_time() - begun))
        if self.kill and len(list(self.folder.glob("*.seconds"))) >= FILES // 2:
            try:
                (self.folder / "killed").touch(exist_ok=False)
            except FileExistsError:
                return answers
            os.kill(os.getpid(), signal.SIGKILL)
        return answers

    def report(self, engine, seconds):
        casting = sum(float(path.read_text()) for path in self.folder.glob("*.seconds"))
        print(f"{engine}: {seconds:.2f} s, of which each of two workers casts {casting / 2:.2f} s")
        assert (self.folder / "killed").exists() == self.kill


def spark(scene, rays, hits, watched):
    import spark_cast as code

    cast_batches = code.caster(scene)

    def cast(batches):
        for batch in batches:
            # Without the wait for the batch.
            yield from watched(lambda: list(cast_batches([batch])))

    session = code.session(workers=2)
    try:
        begun = time.perf_counter()
        rays = session.read.parquet(rays)
        rays.mapInArrow(cast, code.answers(scene, rays)).write.parquet(hits)
        return time.perf_counter() - begun
    finally:
        session.stop()


def ray_data(scene, rays, hits, watched):
    import ray
    import ray_data_cast as code

    class Caster(code.Caster):
        def __call__(self, table):
            return watched(lambda: super(Caster, self).__call__(table))

    ray.init(num_cpus=4, include_dashboard=False)
    try:
        begun = time.perf_counter()
        code.cast(ray.data.read_parquet(rays), scene, 2, Caster).write_parquet(hits)
        return time.perf_counter() - begun
    finally:
        ray.shutdown()


def dask(scene, rays, hits, watched):
    import dask.dataframe as frames
    import dask_cast as code

    scene = lanecast.Scene.open(scene)
    with code.cluster(workers=2):
        begun = time.perf_counter()
        frame = frames.read_parquet(rays)
        answers = frame.map_partitions(
            lambda part, scene: watched(lambda: code.cast(part, scene)),
            scene,
            meta=code.cast(frame._meta, scene),
        )
        answers.to_parquet(hits)
        return time.perf_counter() - begun


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A scene file, a folder of rays, and the answers of one process."""
    folder = tmp_path_factory.mktemp("saved")
    scene = soup()
    scene.save(folder / "soup.scene")
    # As ids of somebody else: not the numbers of rows.
    ids = pa.array(np.random.default_rng(1).permutation(RAYS) * 3 + 5)
    batch = batch_of(some_rays(RAYS), ray_id=ids)
    (folder / "rays").mkdir()
    for file in range(FILES):
        part = batch.slice(file * RAYS // FILES, RAYS // FILES)
        pq.write_table(pa.Table.from_batches([part]), folder / "rays" / f"{file}.parquet")
    return str(folder / "soup.scene"), str(folder / "rays"), lanecast.cast_arrow(scene, batch)


def bits(answers):
    """The bytes of each column, in the order of the rays."""
    answers = pa.table(answers).select(
        ["ray_id", "status", "t", "primitive_id", "geometry_id", "instance_id", "u", "v"]
    )
    answers = answers.sort_by("ray_id")
    return {
        name: (column.is_valid().to_numpy().tobytes(), column.drop_null().to_numpy().tolist())
        for name, column in zip(answers.column_names, answers.columns)
    }


def of_engine(module, *values):
    there = importlib.util.find_spec(module.split(".")[0])
    return pytest.param(*values, marks=pytest.mark.skipif(there is None, reason=f"there is no {module}"))


ENGINES = [("pyspark", spark), ("ray", ray_data), ("distributed", dask)]


@pytest.mark.parametrize("kill", [False, True], ids=["", "killed"])
@pytest.mark.parametrize("engine", [of_engine(module, engine) for module, engine in ENGINES])
def test_a_million_rays_have_the_answers_of_one_process(saved, tmp_path, engine, kill):
    scene, rays, answers = saved
    watched = Watched(tmp_path / "watched", kill)
    seconds = engine(scene, rays, str(tmp_path / "hits"), watched)
    watched.report(engine.__name__, seconds)
    assert bits(pq.read_table(tmp_path / "hits")) == bits(pa.Table.from_batches([answers]))


def by_spark(scene, batches):
    import spark_cast

    return list(spark_cast.caster(scene)(iter(batches)))


def by_ray(scene, batches):
    import ray_data_cast

    caster = ray_data_cast.Caster(scene)
    return [caster(pa.Table.from_batches([batch])) for batch in batches]


def by_dask(scene, batches):
    pytest.importorskip("pandas")
    import dask_cast

    opened = lanecast.Scene.open(scene)
    parts = (dask_cast.cast(batch.to_pandas(), opened) for batch in batches)
    return [pa.Table.from_pandas(part, preserve_index=False) for part in parts]


def batches_with(names, count=1000, of=7):
    """Batches of rays of one job, with these columns beside, whose numbers are no rows."""
    keys = {name: pa.array(np.random.default_rng(3).permutation(count) * 5 + 2) for name in names}
    columns = dict(zip(("ox", "oy", "oz", "dx", "dy", "dz"), map(pa.array, some_rays(count).T)))
    whole = pa.record_batch({**columns, **keys})
    return whole, [whole.slice(first, count // of) for first in range(0, count, count // of)]


@pytest.mark.parametrize("cast", [by_spark, by_ray, by_dask])
@pytest.mark.parametrize("key", ["ray_id", "pulse"])
def test_hits_of_all_batches_join_their_rays_by_a_key(saved, cast, key):
    scene, (whole, batches) = saved[0], batches_with([key])
    tables = [pa.table(part) for part in cast(scene, batches)]
    found = pa.concat_tables([table.select([key, "status", "t", "primitive_id"]) for table in tables])
    assert all(("ray_id" in table.column_names) == (key == "ray_id") for table in tables)
    joined = pa.table(whole).join(found, key).sort_by(key)
    assert joined.num_rows == whole.num_rows == len(set(joined[key].to_pylist()))
    # As one process casts each of the joined rays.
    rays = joined.select(["ox", "oy", "oz", "dx", "dy", "dz"])
    expected = lanecast.cast_arrow(lanecast.Scene.open(scene), rays)
    for name in ("status", "t", "primitive_id"):
        assert joined[name].to_pylist() == expected[name].to_pylist(), name


@pytest.mark.parametrize("cast", [by_spark, by_ray, by_dask])
def test_batches_of_rays_without_a_key_are_refused(saved, cast):
    with pytest.raises(ValueError, match='no column "ray_id"'):
        cast(saved[0], batches_with([])[1])


@pytest.mark.parametrize("name", [of_engine(module, engine.__name__) for module, engine in ENGINES])
def test_an_example_is_a_program(saved, tmp_path, name):
    scene, rays, answers = saved
    program = EXAMPLES / f"{name}_cast.py"
    subprocess.run([sys.executable, program, scene, rays, tmp_path / "hits"], check=True, timeout=300)
    assert bits(pq.read_table(tmp_path / "hits")) == bits(pa.Table.from_batches([answers]))
