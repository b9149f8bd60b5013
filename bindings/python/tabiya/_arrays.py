"""Bitboards and planes as arrays of numpy, which is imported on demand."""

N_PLANES = 15


def _numpy():
    try:
        import numpy
    except ImportError as error:
        raise ImportError("bitboards() and planes() need the package numpy") from error
    return numpy


def bitboards(n: int):
    """An array for n rows, which planes.c fills."""
    numpy = _numpy()
    return numpy.empty((n, N_PLANES), numpy.uint64)


def planes(n: int):
    numpy = _numpy()
    return numpy.empty((n, N_PLANES, 8, 8), numpy.uint8)


def bitboards_of_rows(rows):
    return rows.read().bitboards()


def planes_of_rows(rows):
    return rows.read().planes()
