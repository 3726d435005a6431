"""Rays on Spark: python spark_cast.py SCENE RAYS HITS, a scene file, and Parquet files in and out.

Rays have a key by which hits are joined to them: a column ray_id, or any other, which passes through. The
driver ships a path. Each Python worker maps the scene file, so that all workers of a machine share its
memory."""

import os
import sys

import lanecast

def caster(scene):
    """What casts the batches of a partition at the scene file of a path."""

    def cast(batches):
        opened = lanecast.Scene.open(scene)
        for batch in batches:
            # Spark runs as many workers as there are cores.
            yield lanecast.cast_arrow(opened, batch, first_row=None, threads=1)

    return cast


def answers(scene, rays):
    """The columns of the answers to a data frame of rays, with those that pass through, for Spark."""
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    rays = to_arrow_schema(rays.schema).empty_table()
    return from_arrow_schema(lanecast.cast_arrow(lanecast.Scene.open(scene), rays, first_row=None).schema)


def session(workers):
    """Spark on this machine. A task whose worker dies is repeated, up to four times, as on a cluster."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{workers}, 4]").config("spark.ui.enabled", False)
    return builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1 << 17).getOrCreate()


def main(scene, rays, hits):
    spark = session(workers=2)
    rays = spark.read.parquet(rays)
    rays.mapInArrow(caster(scene), answers(scene, rays)).write.parquet(hits, mode="overwrite")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
