"""Arrow streams read by another program: DuckDB. The environment variable DUCKDB is the path of its library."""
import ctypes
import os
import unittest

import tabiya

GAMES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples", "famous.pgn")


class Result(ctypes.Structure):
    _fields_ = [("words", ctypes.c_void_p * 6)]


class DuckDB:
    """An in-memory database with one table, `given`, read from a stream."""

    def __init__(self, rows) -> None:
        self.library = ctypes.CDLL(os.environ["DUCKDB"])
        self.library.duckdb_value_varchar.restype = ctypes.c_void_p
        for name in ("duckdb_row_count", "duckdb_column_count"):
            getattr(self.library, name).restype = ctypes.c_uint64
        self.library.duckdb_result_error.restype = ctypes.c_char_p
        self.library.duckdb_column_name.restype = ctypes.c_char_p
        self.database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.library.duckdb_open(None, ctypes.byref(self.database)) == 0
        assert self.library.duckdb_connect(self.database, ctypes.byref(self.connection)) == 0
        capsule = rows.__arrow_c_stream__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        stream = ctypes.c_void_p(get(capsule, b"arrow_array_stream"))
        assert self.library.duckdb_arrow_scan(self.connection, b"stream", stream) == 0
        self.ask("CREATE TABLE given AS SELECT * FROM stream")

    def ask(self, sql: str) -> list:
        """The names of the columns, and the rows: text, or None for NULL."""
        result, at = Result(), ctypes.byref
        status = self.library.duckdb_query(self.connection, sql.encode(), at(result))
        assert status == 0, self.library.duckdb_result_error(at(result))
        n_columns = self.library.duckdb_column_count(at(result))
        answer = [[self.library.duckdb_column_name(at(result), ctypes.c_uint64(i)).decode() for i in range(n_columns)]]
        for row in range(self.library.duckdb_row_count(at(result))):
            answer.append([self.cell(result, column, row) for column in range(n_columns)])
        self.library.duckdb_destroy_result(at(result))
        return answer

    def cell(self, result: Result, column: int, row: int):
        text = self.library.duckdb_value_varchar(ctypes.byref(result), ctypes.c_uint64(column), ctypes.c_uint64(row))
        if not text:
            return None
        value = ctypes.string_at(text).decode()
        self.library.duckdb_free(ctypes.c_void_p(text))
        return value

    def close(self) -> None:
        self.library.duckdb_disconnect(ctypes.byref(self.connection))
        self.library.duckdb_close(ctypes.byref(self.database))


def text_of(value):
    return None if value is None else str(value)


class Arrow(unittest.TestCase):
    def check(self, rows, expected) -> None:
        duckdb = DuckDB(rows)
        names, *answer = duckdb.ask("SELECT * FROM given")
        self.assertEqual(names, expected.columns)
        self.assertEqual(answer, [[text_of(value) for value in row] for row in expected])
        duckdb.close()

    def test_duckdb_reads_rows_of_every_kind(self):
        for kind in ("games", "positions", "moves"):
            self.check(tabiya.rows(GAMES, kind), tabiya.rows(GAMES, kind).read())

    def test_duckdb_reads_a_table(self):
        self.check(tabiya.rows(GAMES).read(), tabiya.rows(GAMES).read())

    def test_types_and_missing_values(self):
        duckdb = DuckDB(tabiya.rows(GAMES, "positions", "game,ply,key,score,white_elo,san,White"))
        types = duckdb.ask("SELECT column_name, column_type FROM (DESCRIBE given)")[1:]
        self.assertEqual(types, [["game", "BIGINT"], ["ply", "INTEGER"], ["key", "UBIGINT"], ["score", "DOUBLE"],
                                 ["white_elo", "INTEGER"], ["san", "VARCHAR"], ["White", "VARCHAR"]])
        table = tabiya.rows(GAMES, "positions", "game,ply,key,score,white_elo,san,White").read()
        for name in table.columns:
            n = duckdb.ask(f'SELECT count(*) FROM given WHERE "{name}" IS NULL')[1][0]
            self.assertEqual(int(n), table[name].n_empty, name)
        self.assertEqual(int(duckdb.ask("SELECT sum(key::HUGEINT) FROM given")[1][0]), sum(memoryview(table["key"])))
        duckdb.close()

    def test_no_rows(self):
        self.check(tabiya.rows(GAMES, query="player nobody"), tabiya.rows(GAMES, query="player nobody").read())


if __name__ == "__main__":
    unittest.main()
