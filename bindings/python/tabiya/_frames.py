"""Tables for pandas and pyarrow, which are imported on demand."""

from . import Column, Table


def _number_array(column: Column):
    """A column of numbers; nullable if it can have missing values, even if it has none."""
    import numpy
    import pandas  # type: ignore[import]

    values = numpy.array(column.filled(0))
    if not column.may_be_empty:
        return values
    mask = numpy.array(column.mask)
    if values.dtype.kind == "f":
        return pandas.arrays.FloatingArray(values, mask)
    return pandas.arrays.IntegerArray(values, mask)


def _array(column: Column):
    import pandas  # type: ignore[import]

    try:
        return _number_array(column)
    except TypeError:
        values = column.tolist()
    if any(isinstance(value, bytes) for value in values):
        return values
    return pandas.array(values, dtype="string")


def to_pandas(rows):
    """A DataFrame with the columns of a table, or of all rows that are left."""
    try:
        import pandas  # type: ignore[import]
    except ImportError as error:
        raise ImportError("to_pandas() needs the package pandas") from error
    table = rows if isinstance(rows, Table) else rows.read()
    return pandas.DataFrame({name: _array(table[name]) for name in table.columns})


def to_arrow(rows):
    """A pyarrow table, through Arrow's stream interface."""
    try:
        import pyarrow  # type: ignore[import]
    except ImportError as error:
        raise ImportError("to_arrow() needs the package pyarrow, 14 or later") from error
    return pyarrow.table(rows)
