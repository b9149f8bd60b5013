"""openapi.py - the description of the API is accurate: openapi.py URL SITE.C

Exactly the paths and parameters of the server's table are described; every example is accepted; every answer has the
described form. The server has the sample games and an engine.
"""
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

URL, TOKEN = sys.argv[1].split("/?token=")
SOURCE = sys.argv[2]
failures = []


def ask(path, query=None, body=None, method=None):
    """Status, type and body; with a method, the token is sent."""
    in_path = {name for name in query or {} if "{" + name + "}" in path}
    for name in in_path:
        path = path.replace("{" + name + "}", query[name])
    query = {name: value for name, value in (query or {}).items() if name not in in_path}
    url = URL + path + ("?" + urllib.parse.urlencode(query) if query else "")
    headers = {"X-Tabiya-Token": TOKEN} if method else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=body, method=method, headers=headers), timeout=20) as r:
            return r.status, r.headers["Content-Type"].split(";")[0], r.read()
    except urllib.error.HTTPError as e:
        return e.code, e.headers["Content-Type"].split(";")[0], e.read()


doc = json.loads(ask("/api/openapi.json")[2])


def resolve(thing):
    while "$ref" in thing:
        at = doc
        for name in thing["$ref"][2:].split("/"):
            at = at[name]
        thing = at
    return thing


for item in doc["paths"].values():
    for operation in item.values():
        operation["parameters"] = [resolve(p) for p in operation["parameters"]]


def references(thing):
    if isinstance(thing, dict):
        yield from (value for name, value in thing.items() if name == "$ref")
    for member in thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list) else []:
        yield from references(member)


for name in set(references(doc)):
    resolve({"$ref": name})  # a name that is missing is a KeyError

TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list}


def check(value, schema, where):
    schema = resolve(schema)
    if value is None and schema.get("nullable"):
        return
    if "oneOf" in schema:
        # Reports the faults of the best matching form.
        tries = []
        for one in schema["oneOf"]:
            before = len(failures)
            check(value, one, where)
            tries.append(failures[before:])
            del failures[before:]
        failures.extend(min(tries, key=len))
        return
    wanted = TYPES[schema["type"]]
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        failures.append(f"{where}: {value!r:.60} is no {schema['type']}")
        return
    if "enum" in schema and value not in schema["enum"]:
        failures.append(f"{where}: {value!r} is none of {schema['enum']}")
    if wanted is list:
        for i, item in enumerate(value):
            check(item, schema["items"], f"{where}[{i}]")
    if wanted is dict:
        known = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        for name in schema.get("required", []):
            if name not in value:
                failures.append(f"{where}: {name} is missing")
        for name, member in value.items():
            if name in known:
                check(member, known[name], f"{where}.{name}")
            elif more is False:
                failures.append(f"{where}: {name} is not described")
            elif isinstance(more, dict):
                check(member, more, f"{where}.{name}")


def check_answer(path, operation, query, body=None, method=None):
    status, kind, text = ask(path, query, body, method)
    where = f"{path} {query}"
    described = operation["responses"].get(str(status))
    if described is None:
        failures.append(f"{where}: status {status} is not described: {text[:200]}")
        return
    described = resolve(described)
    if kind not in described["content"]:
        failures.append(f"{where}: type {kind} is not described")
    elif kind in ("application/json", "application/x-ndjson"):
        check(json.loads(text), described["content"][kind]["schema"], where)
    if status not in (200, 201):
        failures.append(f"{where}: {status} {text[:200]}")


def check_operation(path, operation):
    needed = {p["name"]: p["example"] for p in operation["parameters"] if p.get("required")}
    if path in ("/api/analyse", "/api/annotate"):
        needed["depth"] = "3"
    if path == "/api/novelty":
        needed["text"] = "1. e4 e5 2. Qh5"  # or an id
    check_answer(path, operation, needed)
    for p in operation["parameters"]:
        if "example" in p:
            check_answer(path, operation, {**needed, p["name"]: p["example"]})
    # Requests that make no sense are refused as described.
    if path.startswith("/api"):
        status, kind, text = ask(path, {"nonsense": "1"})
        if status != 400 or kind != "application/json":
            failures.append(f"{path}: nonsense is taken")
        check(json.loads(text), doc["components"]["schemas"]["Error"], path)


def names_in_source():
    """Paths and parameters of the table of answers; /api/find and /api/explore also accept the conditions of queries."""
    with open(SOURCE) as file:
        text = file.read()
    for name, value in re.findall(r'#define (\w+) ("[^"]*")', text):
        text = text.replace(name + ' "', value[:-1])
    rows = re.findall(r'\{"(/[^"]*)", WEIGHT_\w+, "([^"]*)"', text, re.S)
    return {path: set(names.split()) for path, names in rows}


WITH_CONDITIONS = ("/api/find", "/api/explore", "/api/repertoire/gaps", "/api/repertoire/deviations",
                   "/api/collections/{name}", "/api/report")
described = {path: {p["name"] for o in item.values() for p in o["parameters"] if p["in"] != "header"}
             for path, item in doc["paths"].items()}
real = names_in_source()
for path in sorted(set(real) | set(described)):
    if path not in described or path not in real:
        failures.append(f"{path} is {'not described' if path in real else 'described, but not there'}")
    elif not real[path] <= described[path] or (path not in WITH_CONDITIONS and real[path] != described[path]):
        failures.append(f"{path}: {real[path] ^ described[path]}")

for path, item in doc["paths"].items():
    if "get" in item:
        check_operation(path, item["get"])
post = doc["paths"]["/api/convert"]["post"]
check_answer("/api/convert", post, {"to": "uci"}, b"1. e4 e5")
check_answer("/api/convert", post, {}, b'{"text":"1. e4 e5","lossy":true}')
for action in ("gaps", "deviations"):
    path = f"/api/repertoire/{action}"
    check_answer(path, doc["paths"][path]["post"], {"limit": "3", "result": "1-0"}, b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")
check_answer("/api/novelty", doc["paths"]["/api/novelty"]["post"], {}, b"1. e4 e5 2. Qh5 *")
check_answer("/api/annotate", doc["paths"]["/api/annotate"]["post"], {"depth": "1"}, b"1. e4 e5 *")
saved = doc["paths"]["/api/games/{id}"]
check_answer("/api/games", doc["paths"]["/api/games"]["post"], {}, b"1. a4 h5 *", "POST")
check_answer("/api/games/{id}", saved["put"], {"id": "5"}, b"1. a4 h6 *", "PUT")
collection = doc["paths"]["/api/collections/{name}"]
check_answer("/api/collections/{name}", collection["post"], {"name": "x", "ids": "6,7,8"}, None, "POST")
check_answer("/api/collections/{name}", collection["delete"], {"name": "x", "result": "1-0"}, None, "DELETE")
check_answer("/api/games/{id}", saved["delete"], {"id": "6"}, None, "DELETE")
check_answer("/api/collections", doc["paths"]["/api/collections"]["get"], {})
if failures:
    sys.exit("\n".join(failures))
