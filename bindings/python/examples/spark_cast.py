"""Rays on Spark: python spark_cast.py SCENE RAYS HITS, a scene file, and Parquet files in and out.

The driver ships a path. Each Python worker maps the scene file, so that all workers of a machine share its
memory."""

import os
import sys

import lanecast

HITS = (
    "ray_id long, status string, t float, primitive_id long, geometry_id long, instance_id long, "
    "u float, v float"
)


def caster(scene):
    """What casts the batches of a partition at the scene file of a path."""

    def cast(batches):
        opened = lanecast.Scene.open(scene)
        for batch in batches:
            # Spark runs as many workers as there are cores.
            yield lanecast.cast_arrow(opened, batch, threads=1)

    return cast


def session(workers):
    """Spark on this machine. A task whose worker dies is repeated, up to four times, as on a cluster."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{workers}, 4]").config("spark.ui.enabled", False)
    return builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1 << 17).getOrCreate()


def main(scene, rays, hits):
    spark = session(workers=2)
    spark.read.parquet(rays).mapInArrow(caster(scene), HITS).write.parquet(hits, mode="overwrite")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
