"""Rays and points from Parquet to Parquet in bounded memory, resumed at will; ``-m lanecast.parquet`` too."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Type, Union

from ._arrow_queries import Casting, PointCasting, RayCasting
from ._files import complete
from ._lanecast import Scene
from ._types import Progress

import pyarrow as pa  # type: ignore[import, unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import, unused-ignore]

AnyPath = Union[str, "os.PathLike[str]"]

_KEY = b"lanecast"
"""Where the metadata of a file says what it is a part of."""

_NEVER_TWICE = (
    *("ray_id", "t", "u", "v", "behind_t", "behind_u", "behind_v"),
    *("point_id", "distance", "winding_number"),
    *("x", "y", "z", "nx", "ny", "nz"),
)
"""Answers that no dictionary makes smaller."""


@dataclass(frozen=True)
class Written:
    """What ``cast_parquet`` or ``points_parquet`` has done."""

    rows: int
    """All rays, or points, of the source."""
    cast: int
    """Those that this call answered; the answers to the others were there."""
    files: List[Path]
    """All files of answers, in the order of the rows."""


def cast_parquet(
    scene: Union[Scene, AnyPath],
    source: Union[AnyPath, Sequence[AnyPath]],
    destination: AnyPath,
    query: str = "closest",
    columns: Optional[Sequence[str]] = None,
    *,
    keep: Optional[Sequence[str]] = None,
    rows_per_file: int = 1 << 22,
    batch_rows: int = 1 << 18,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Written:
    """Casts the rays of Parquet files at a scene, or at the scene file of a path, and writes the answers to a
    folder.

    ``source`` is a file, several, or a folder, of which all ``*.parquet`` are read, also in folders below, in
    the order of their paths; ``ray_id`` counts over all of them where there is no such column. ``query``,
    ``columns``, ``keep`` and ``options`` are those of ``cast_arrow``. ``destination`` is a folder, which is
    made, of files ``part-000000.parquet`` and so on, each with the answers to ``rows_per_file`` rays.
    ``batch_rows`` of them are in memory at a time, with their answers, whatever the size of the source.
    ``progress`` is called as ``progress(done, total)``, in rays, or is a bar like those of tqdm.

    A file gets its name when it is complete. A call that was stopped, by Ctrl-C or by the end of its process,
    is therefore resumed by the same call: rays whose answers are there are not cast again, and the files are
    those of a call that was not stopped, byte for byte. Only threads, backend and batch_rows may differ.

    Raises ``ValueError`` where answers in ``destination`` are of another scene, query or source, or another
    call writes there, and what ``cast_arrow`` raises. The source and the scene are known by their sizes,
    checksums and samples.

    >>> import lanecast, pathlib, pyarrow as pa, pyarrow.parquet as pq, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> rays = {"ox": [0.25, 5], "oy": [0.25, 5], "oz": [1.0] * 2}
    >>> rays.update(dx=[0.0] * 2, dy=[0.0] * 2, dz=[-1.0] * 2)
    >>> pq.write_table(pa.table(rays), folder / "rays.parquet")
    >>> lanecast.cast_parquet(scene, folder / "rays.parquet", folder / "hits").cast
    2
    >>> lanecast.cast_parquet(scene, folder / "rays.parquet", folder / "hits").cast
    0
    >>> pq.read_table(folder / "hits", columns=["status", "t"]).to_pylist()
    [{'status': 'hit', 't': 1.0}, {'status': 'miss', 't': None}]
    """
    sizes = rows_per_file, batch_rows
    return _parquet(RayCasting, scene, source, destination, query, columns, keep, sizes, progress, options)


def points_parquet(
    scene: Union[Scene, AnyPath],
    source: Union[AnyPath, Sequence[AnyPath]],
    destination: AnyPath,
    query: str = "closest",
    columns: Optional[Sequence[str]] = None,
    *,
    keep: Optional[Sequence[str]] = None,
    rows_per_file: int = 1 << 22,
    batch_rows: int = 1 << 18,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Written:
    """Asks a query of the points of Parquet files, and writes the answers to a folder, as ``cast_parquet``
    does for rays: all that it says of its arguments, of a call that is stopped and of errors is so here.
    ``query``, ``columns``, ``keep`` and ``options`` are those of ``points_arrow``. A surface that is open is
    refused before a file is written.

    >>> import lanecast, pathlib, pyarrow as pa, pyarrow.parquet as pq, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> scene = lanecast.Scene.build(lanecast.Boxes([[0, 0, 0]], [[4, 4, 4]]))
    >>> points = pa.table({"x": [1.0, 2.0], "y": [2.0] * 2, "z": [2.0, 7.0]})
    >>> file, inside = folder / "points.parquet", folder / "inside"
    >>> pq.write_table(points, file)
    >>> lanecast.points_parquet(scene, file, inside, "contains").rows
    2
    >>> pq.read_table(inside, columns=["point_id", "inside"]).to_pylist()
    [{'point_id': 0, 'inside': True}, {'point_id': 1, 'inside': False}]
    """
    sizes = rows_per_file, batch_rows
    return _parquet(PointCasting, scene, source, destination, query, columns, keep, sizes, progress, options)


def _parquet(
    casting: Type[Casting],
    scene: Union[Scene, AnyPath],
    source: Union[AnyPath, Sequence[AnyPath]],
    destination: AnyPath,
    query: str,
    columns: Optional[Sequence[str]],
    keep: Optional[Sequence[str]],
    sizes: Tuple[int, int],
    progress: Optional[Progress],
    options: Dict[str, Any],
) -> Written:
    rows_per_file, batch_rows = sizes
    for name, value in (("rows_per_file", rows_per_file), ("batch_rows", batch_rows)):
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"{name}: it is {value!r}; a whole number from 1 on was expected")
    scene = scene if isinstance(scene, Scene) else Scene.open(scene)
    destination = Path(destination)
    table = _Source(source, destination)
    needed = casting(scene, table.schema, query, columns, keep, options).needed
    # Columns that are not wanted are not read.
    table.schema = pa.schema([table.schema.field(name) for name in needed])
    asked = casting(scene, table.schema, query, columns, keep, options)
    schema = asked.schema()
    same_answers = {name: value for name, value in options.items() if name not in ("threads", "backend")}
    job = {
        "scene": _of_scene(scene),
        "query": [casting.ROWS, query, list(schema.names), sorted(same_answers.items())],
        "source": table.identity,
        "rows_per_file": rows_per_file,
    }
    # As it is read again, and with numbers of NumPy as those of Python.
    job = json.loads(json.dumps(job, default=float))
    parts = range(0, max(table.rows, 1), rows_per_file)
    files = [destination / f"part-{number:06}.parquet" for number in range(len(parts))]
    destination.mkdir(parents=True, exist_ok=True)
    with _alone(destination):
        written = _parts_there(destination, job)
        done = sum(last - first for first, last in written)
        cast, rows = 0, table.from_row(0)
        tell = _teller(progress)
        tell(done, table.rows)
        for first, path in zip(parts, files):
            last = min(first + rows_per_file, table.rows)
            if (first, last) in written:
                continue
            if rows.next_row != first:
                rows = table.from_row(first)
            about = {**(schema.metadata or {}), _KEY: json.dumps({**job, "rows": [first, last]})}
            with complete(path) as partial, _writer(partial, schema.with_metadata(about)) as write:
                while rows.next_row < last:
                    row = rows.next_row
                    batch = rows.take(min(batch_rows, last - row))
                    write(asked.cast(batch, row))
                    cast += batch.num_rows
                    tell(done + cast, table.rows)
    return Written(table.rows, cast, files)


class _Source:
    """The rows of Parquet files, as one table."""

    def __init__(self, source: Union[AnyPath, Sequence[AnyPath]], destination: Path) -> None:
        self._files, names = _files(source, destination)
        self.schema: pa.Schema = None
        self._rows: List[int] = []
        self.identity: List[List[Union[str, int]]] = []
        for path, name in zip(self._files, names):
            try:
                with pq.ParquetFile(path) as file:
                    self._rows.append(file.metadata.num_rows)
                    schema = file.schema_arrow
            except pa.ArrowInvalid as error:
                raise ValueError(f"{path}: {error}") from error
            if self.schema is None:
                self.schema = schema
            elif not schema.equals(self.schema):
                raise ValueError(f"{path}: its columns are not those of {self._files[0]}")
            self.identity.append([name, path.stat().st_size, _sample(path)])
        self.rows = sum(self._rows)

    def from_row(self, row: int) -> _Rows:
        return _Rows(self._batches(row), row)

    def _batches(self, skip: int) -> Iterator[pa.RecordBatch]:
        """The batches from a row on."""
        for path, rows in zip(self._files, self._rows):
            if skip >= rows:
                skip -= rows
                continue
            # Read as it is decoded, as a row group may be larger than memory.
            with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
                groups = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
                start = 0
                while skip >= groups[start]:
                    skip -= groups[start]
                    start += 1
                wanted = range(start, len(groups))
                for batch in file.iter_batches(1 << 16, row_groups=wanted, columns=self.schema.names):
                    lost = min(skip, batch.num_rows)
                    skip -= lost
                    yield batch.slice(lost)


class _Rows:
    """Rows in pieces of any size."""

    def __init__(self, batches: Iterator[pa.RecordBatch], row: int) -> None:
        self._batches, self.next_row = batches, row
        self._rest: List[pa.RecordBatch] = []

    def take(self, rows: int) -> pa.RecordBatch:
        """The next rows, so many, as one batch."""
        pieces, missing = [], rows
        while missing:
            batch = self._rest.pop() if self._rest else next(self._batches)
            if batch.num_rows > missing:
                self._rest.append(batch.slice(missing))
                batch = batch.slice(0, missing)
            missing -= batch.num_rows
            pieces.append(batch)
        self.next_row += rows
        return pa.concat_batches(pieces)


def _files(source: Union[AnyPath, Sequence[AnyPath]], destination: Path) -> Tuple[List[Path], List[str]]:
    """The files of a source, and what they are called there."""
    paths = [Path(source)] if isinstance(source, (str, os.PathLike)) else [Path(path) for path in source]
    if isinstance(source, (str, os.PathLike)) and paths[0].is_dir():
        folder = paths[0]
        if folder.resolve() in (destination.resolve(), *destination.resolve().parents):
            raise ValueError(f"destination: {destination} is in the source, {folder}")
        there = (path.relative_to(folder) for path in folder.rglob("*.parquet") if path.is_file())
        # Those that engines hide: what is being written, and notes.
        seen = sorted(path for path in there if not any(part.startswith((".", "_")) for part in path.parts))
        files, names = [folder / path for path in seen], [path.as_posix() for path in seen]
    else:
        files, names = paths, [path.name for path in paths]
    if not files:
        raise ValueError(f"source: there are no files *.parquet in {source}")
    return files, names


def _sample(path: Path) -> str:
    """A checksum of pages spread over a file, and of its end, where Parquet counts and bounds its values."""
    size = path.stat().st_size
    digest = hashlib.blake2b(digest_size=16)
    with open(path, "rb") as file:
        for page in range(64):
            file.seek(size * page // 64)
            digest.update(file.read(1 << 12))
        file.seek(max(0, size - (1 << 18)))
        digest.update(file.read())
    return digest.hexdigest()


def _of_scene(scene: Scene) -> str:
    """A scene file's header, which has its length, and a checksum of the checksums of all its parts."""
    if scene.path is None:
        return scene.to_bytes()[:64].hex()
    with open(scene.path, "rb") as file:
        return file.read(64).hex()


def _parts_there(destination: Path, job: Dict[str, Any]) -> Set[Tuple[int, int]]:
    """The ranges of rows that earlier calls of the same job have answered."""
    there = set()
    for path in sorted(destination.glob("*.parquet")):
        try:
            about = pq.read_metadata(path).metadata or {}
        except pa.ArrowInvalid as error:
            raise ValueError(
                f"destination: {path}: {error}; remove it, and its rows are answered again"
            ) from error
        about = json.loads(about.get(_KEY, b"null"))
        if about is None:
            raise ValueError(f"destination: {path} is no file of answers of lanecast")
        for name, value in job.items():
            if about.get(name) != value:
                raise ValueError(
                    f"destination: {path} has answers of another {name}; remove them or name another folder"
                )
        there.add(tuple(about["rows"]))
    return there


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Refuses a folder that another call writes to."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"destination: another call writes to {folder}") from None
        except OSError:  # A file system without locks.
            pass
        yield
    finally:
        os.close(held)


@contextmanager
def _writer(file: IO[bytes], schema: pa.Schema) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """Writes batches, each while the next one is cast."""
    repeating = [name for name in schema.names if name not in _NEVER_TWICE]
    writer = pq.ParquetWriter(file, schema, use_dictionary=repeating)
    # The thread ends before the writer is closed.
    with writer, ThreadPoolExecutor(1, "lanecast-write") as thread:
        before = thread.submit(lambda: None)

        def write(batch: pa.RecordBatch) -> None:
            nonlocal before
            before.result()
            before = thread.submit(writer.write_batch, batch)

        yield write
        before.result()


def _teller(progress: Optional[Progress]) -> Callable[[int, int], None]:
    """Tells what is done of how much to a function, or to a bar, which keeps its total if it has one."""
    bar: Any = progress
    told = 0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if bar is None:
            return
        if not hasattr(bar, "update"):
            bar(done, total)
            return
        if getattr(bar, "total", None) is None:
            bar.total = bar.n + total
        bar.update(done - told)
        told = done

    return tell


class _Line:
    """Progress on a terminal."""

    def __init__(self, rows: str) -> None:
        self._rows = rows
        self._start: Optional[Tuple[float, int]] = None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        self._start = self._start or (now, done)
        pace = (done - self._start[1]) / max(now - self._start[0], 1e-9)
        sys.stderr.write(f"\r{done:,} of {total:,} {self._rows}, {pace / 1e6:.2f} million/s ")
        sys.stderr.flush()


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """What ``python -m lanecast.parquet`` does."""
    parser = argparse.ArgumentParser(
        "python -m lanecast.parquet",
        description=__doc__.split(",")[0] + ".",
        epilog="The same command resumes one that was stopped.",
    )
    parser.add_argument("scene", help="a scene file")
    parser.add_argument("source", nargs="+", help="Parquet files of rays, or a folder of them")
    parser.add_argument("destination", help="a folder for the answers, which is made")
    parser.add_argument("--points", action="store_true", help="the files are of points")
    both = (casting.ROWS + ": " + ", ".join(casting.ANSWERS) for casting in (RayCasting, PointCasting))
    parser.add_argument("--query", default="closest", help="; ".join(both))
    parser.add_argument("--limit", type=int, help="how many hits of each ray, for nearest")
    parser.add_argument("--count", type=int, help="how many primitives near each point, for nearest")
    for name in ("columns", "keep"):
        parser.add_argument(
            "--" + name,
            type=lambda names: [name for name in names.split(",") if name],
            help="names of answers, with commas" if name == "columns" else "and of columns that pass through",
        )
    for name in ("t-min", "t-max"):
        parser.add_argument("--" + name, type=float, help="for all rays")
    parser.add_argument("--radius", type=float, help="for all points")
    for name in ("generalised-winding", "accuracy"):
        parser.add_argument("--" + name, type=float, help="from 1 on, for points")
    for name in ("threads", "rows-per-file", "batch-rows"):
        parser.add_argument("--" + name, type=int)
    given = {name: value for name, value in vars(parser.parse_args(arguments)).items() if value is not None}
    source, is_points = given.pop("source"), given.pop("points")
    rows, call = ("points", points_parquet) if is_points else ("rays", cast_parquet)
    progress = _Line(rows) if sys.stderr.isatty() else None
    try:
        done = call(source=source[0] if len(source) == 1 else source, progress=progress, **given)
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped; the same command goes on from the last complete file\n")
        return 130
    except (OSError, ValueError, TypeError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    end, files = "\n" if progress else "", len(done.files)
    sys.stderr.write(f"{end}{done.rows:,} {rows}, {done.cast:,} of them cast now, in {files} files\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
