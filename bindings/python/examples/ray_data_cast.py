"""Rays on Ray Data: python ray_data_cast.py SCENE RAYS HITS, a scene file, and Parquet files in and out.

Rays have a key by which hits are joined to them: a column ray_id, or any other, which passes through. Each
worker maps the scene file once, so that all workers of a machine share its memory.
"""

import sys

import lanecast


class Caster:
    """A worker that casts tables of rays at the scene file of a path."""

    def __init__(self, scene):
        self.scene = lanecast.Scene.open(scene)

    def __call__(self, rays):
        # Ray runs as many workers as there are cores.
        return lanecast.cast_arrow(self.scene, rays, first_row=None, threads=1)


def cast(rays, scene, workers, caster=Caster):
    """The answers to a data set of rays."""
    import ray

    workers = ray.data.ActorPoolStrategy(size=workers)
    how = dict(batch_format="pyarrow", batch_size=1 << 17, compute=workers)
    return rays.map_batches(caster, fn_constructor_args=[scene], **how)


def main(scene, rays, hits):
    import ray

    # Two that cast, two that read and write.
    ray.init(num_cpus=4)
    cast(ray.data.read_parquet(rays), scene, workers=2).write_parquet(hits)
    ray.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
