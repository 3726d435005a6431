"""Rays on Dask: python dask_cast.py SCENE RAYS HITS, a scene file, and Parquet files in and out.

Rays have a key by which hits are joined to them: a column ray_id, or any other, which passes through. A scene that has a file travels as its path. Workers map the file, so that all workers of a machine share its
memory."""

import sys

import lanecast


def cast(rays, scene):
    """The answers to a partition of rays, in columns of Arrow: their ids stay whole beside nulls."""
    import pandas

    # Dask runs as many workers as there are cores.
    answers = lanecast.cast_arrow(scene, rays, first_row=None, threads=1)
    return answers.to_pandas(types_mapper=pandas.ArrowDtype)


def cluster(workers):
    """Dask on this machine: workers that are restarted when they die, and their tasks repeated."""
    from distributed import Client

    return Client(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def main(scene, rays, hits):
    import dask.dataframe

    scene = lanecast.Scene.open(scene)
    with cluster(workers=2):
        rays = dask.dataframe.read_parquet(rays)
        rays.map_partitions(cast, scene, meta=cast(rays._meta, scene)).to_parquet(hits)


if __name__ == "__main__":
    main(*sys.argv[1:])
