"""explorer_clients.py - requests as clients of the public opening explorer send them: explorer_clients.py URL OUT

The requests follow the public sources and descriptions of berserk, en-croissant, openingtree, lichess.org's OpenAPI and small clients.
Every answer must have the form that lichess.org documents: SCHEMAS below. All answers are written to OUT, so that those of a
file and of a server can be compared. The games are those of explorer_games.sh.
"""
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

URL, OUT = sys.argv[1], sys.argv[2]
failures = []
answers = []

# ---- What an answer must look like

INT, TEXT = {"type": int}, {"type": str}


def nullable(schema):
    return {"or_null": schema}


def thing(optional=(), **members):
    return {"members": members, "optional": set(optional)}


OPENING = nullable(thing(eco=TEXT, name=TEXT))
PERSON = thing(name=TEXT, rating=INT)
SPEED = {"type": str, "of": ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"]}
MODE = {"type": str, "of": ["rated", "casual"]}
WINNER = nullable({"type": str, "of": ["white", "black"]})
COUNTS = {"white": INT, "draws": INT, "black": INT}
GAME = {"id": TEXT, "winner": WINNER, "white": PERSON, "black": PERSON, "year": INT}
GAMES = {
    # Unknown time controls are left out; unknown months are null.
    "lichess": (dict(GAME, speed=SPEED, mode=MODE, month=nullable(TEXT)), ["speed"]),
    "masters": (dict(GAME, month=nullable(TEXT)), []),
    "player": (dict(GAME, speed=SPEED, mode=MODE, month=nullable(TEXT)), ["speed"]),
}
HISTORY = [thing(month=TEXT, **COUNTS)]


def schema_of(kind):
    members, optional = GAMES[kind]
    ratings = {"averageOpponentRating": INT, "performance": INT} if kind == "player" else {"averageRating": INT}
    move = thing(uci=TEXT, san=TEXT, game=nullable(thing(optional, **members)), opening=OPENING, **ratings, **COUNTS)
    listed = [thing(optional, uci=TEXT, **members)]
    lists = {"lichess": {"topGames": listed, "recentGames": listed}, "masters": {"topGames": listed},
             "player": {"recentGames": listed, "queuePosition": INT}}[kind]
    return thing(["history"], moves=[move], opening=OPENING, history=HISTORY, **lists, **COUNTS)


SCHEMAS = {kind: schema_of(kind) for kind in GAMES}
SCHEMAS["history"] = thing(history=HISTORY, opening=OPENING)
SCHEMAS["error"] = thing(["offset", "length", "field", "near"], error=TEXT, offset=INT, length=INT, field=TEXT, near=[TEXT])


def check(value, schema, where):
    if isinstance(schema, list):
        if not isinstance(value, list):
            failures.append(f"{where}: {value!r:.60} is no list")
            return
        for i, item in enumerate(value):
            check(item, schema[0], f"{where}[{i}]")
    elif "or_null" in schema:
        if value is not None:
            check(value, schema["or_null"], where)
    elif "members" in schema:
        if not isinstance(value, dict):
            failures.append(f"{where}: {value!r:.60} is no object")
            return
        for name in set(schema["members"]) - schema["optional"] - set(value):
            failures.append(f"{where}: {name} is missing")
        for name, member in value.items():
            if name in schema["members"]:
                check(member, schema["members"][name], f"{where}.{name}")
            else:
                failures.append(f"{where}: {name} is unknown to clients")
    elif type(value) is not schema["type"] or ("of" in schema and value not in schema["of"]):
        failures.append(f"{where}: {value!r:.60}")


# ---- Asking


def ask(path, headers=None):
    request = urllib.request.Request(URL + path, headers={"User-Agent": "client", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as r:
            return r.status, r.headers["Content-Type"], r.read()
    except urllib.error.HTTPError as e:
        return e.code, e.headers["Content-Type"], e.read()


def expect(what, path, wanted=None, status=200, headers=None):
    """`wanted`: white, draws, black. Returns the answer."""
    got, kind, body = ask(path, headers)
    answers.append(f"{path}\n{got} {kind}\n{body.decode()}")
    if got != status:
        failures.append(f"{what}: {path}: {got}, not {status}: {body[:200]}")
        return None
    if kind.startswith("application/x-chess-pgn"):
        return body.decode()
    answer = json.loads(body)
    name = path.lstrip("/").split("?")[0]
    of_path = {"master": "masters", "personal": "player", "lichess/history": "history"}.get(name, name)
    if status != 200 or of_path in SCHEMAS:
        check(answer, SCHEMAS[of_path if status == 200 else "error"], f"{what}: {path}")
    if of_path == "player" and status == 200 and kind != "application/x-ndjson":
        failures.append(f"{path}: {kind}")
    if wanted and [answer["white"], answer["draws"], answer["black"]] != wanted:
        failures.append(f"{what}: {path}: {[answer['white'], answer['draws'], answer['black']]}, not {wanted}")
    return answer


def is_so(what, got, wanted):
    if got != wanted:
        failures.append(f"{what}: {got!r}, not {wanted!r}")


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
ALL = [3, 3, 2]


def query(**params):
    return "?" + urllib.parse.urlencode({k: v for k, v in params.items() if v is not None})


def berserk():
    """The library `requests` drops None and sends True as "True"."""
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    expect("berserk", "/lichess" + query(variant="standard", history=True), ALL, headers=headers)
    answer = expect("berserk", "/lichess" + query(variant="standard", fen=START, topGames=2, recentGames=3, history=True), ALL)
    is_so("berserk: history", len(answer["history"]) > 3, True)
    answer = expect("berserk", "/lichess" + query(variant="standard", fen=START, history=False), ALL)
    is_so("berserk: no history", "history" in answer, False)
    for yes in ("true", "TRUE", "on", "1", "yes"):
        is_so(f"history={yes}", "history" in expect("booleans", "/lichess?history=" + yes, ALL), True)
    for no in ("false", "False", "off", "0", "no", ""):
        is_so(f"history={no}", "history" in expect("booleans", "/lichess?history=" + no, ALL), False)
    expect("berserk", "/lichess" + query(variant="standard", play="e2e4", speeds="blitz,rapid", ratings="2200,2500",
                                         since="2010-01", until="2030-12", moves=3, history=False), [1, 0, 0])
    expect("berserk", "/masters" + query(fen=None, play="d2d4,d7d5,c2c4,c7c6,c4d5", since=None, until=None, moves=12,
                                         topGames=15), [0, 0, 0])
    expect("berserk", "/masters" + query(position=START, since=1900, until=2030))
    answer = expect("berserk", "/player" + query(variant="standard", player="ada", color="white", play="", speeds=None,
                                                 ratings=None, modes=None, since=None, until=None, moves=None,
                                                 topGames=None, recentGames=3, history=True),
                    headers={"Accept": "application/x-ndjson"})
    is_so("berserk: recent games", [game["id"] for game in answer["recentGames"]], ["6", "1"])
    pgn = expect("berserk", "/masters/pgn/3", headers={"Accept": "application/x-chess-pgn"})
    is_so("berserk: PGN", "1. d4 d5" in pgn, True)


def en_croissant():
    """Its defaults list everything except ultraBullet and ratings under 1000, and mean every game."""
    everything = query(variant="standard", fen=START, speeds="bullet,blitz,rapid,classical,correspondence",
                       ratings="1000,1200,1400,1600,1800,2000,2200,2500", moves=99, topGames=15, recentGames=0)
    answer = expect("en-croissant", "/lichess" + everything, ALL)
    is_so("en-croissant: recent games", answer["recentGames"], [])
    for speeds in ("ultraBullet,bullet,blitz,rapid,classical,correspondence", ""):
        expect("all speeds", "/lichess" + query(speeds=speeds, ratings="0,1000,1200,1400,1600,1800,2000,2200,2500"), ALL)
    expect("some speeds", "/lichess?speeds=bullet,blitz,rapid,classical", [2, 2, 1])
    expect("some ratings", "/lichess?ratings=1200,1400,1600,1800,2000,2200,2500", [2, 2, 1])
    expect("bullet alone", "/lichess?speeds=bullet", [0, 0, 1])
    expect("ultraBullet", "/lichess?speeds=ultraBullet", [0, 0, 1])
    expect("both", "/lichess?speeds=bullet,ultraBullet", [0, 0, 2])
    answer = expect("en-croissant", "/masters" + query(fen=E4, since=1952, until=2030, moves=12, topGames=15))
    is_so("en-croissant: masters", "recentGames" in answer, False)
    expect("en-croissant", "/player" + query(player="Ada", color="black", fen=START, speeds="bullet", modes="rated",
                                             since="2020-01", until="2022-12", recentGames=8), [0, 0, 1])


def openingtree():
    """It writes the position as it is, always sends an empty `play`, and a token that this server does not need."""
    headers = {"Authorization": "Bearer lio_0123456789", "Origin": "https://www.openingtree.com"}
    fen = START.replace(" ", "%20")
    for ratings, speeds in (("1600,1800,2000,2200,2500", "bullet,blitz,rapid,classical,correspondence"),
                            ("2200", "blitz")):
        path = f"/lichess?fen={fen}&play=&variant=standard&ratings={ratings}&speeds={speeds}"
        expect("openingtree", path, headers=headers)
    expect("openingtree", f"/masters?fen={fen}&play=&variant=standard&ratings=2500&speeds=blitz", ALL, headers=headers)
    expect("openingtree", f"/lichess?fen={fen}&play=&variant=kingOfTheHill&ratings=2500&speeds=blitz", status=400, headers=headers)


def lichess_itself():
    """As documented, and as the site's own page sends them (source=analysis)."""
    expect("site", "/lichess" + query(variant="standard", fen=START, play="e2e4", since="2012-12", source="analysis"))
    expect("site", "/masters" + query(fen=START, play="e2e4", since="1952", until="2026", source="analysis"))
    expect("site", "/player" + query(variant="standard", fen=START, play="", player="Ada", color="white", modes="rated,casual",
                                     speeds="ultraBullet,bullet,blitz,rapid,classical,correspondence", source="analysis"),
           [1, 1, 0])
    expect("unknown", "/lichess?nonsense=1&nonsense=2", ALL)
    expect("old clients", "/lichess?variant=standard&speeds[]=classical&ratings[]=1800&ratings[]=2000&fen=" +
           urllib.parse.quote(START), ALL)
    expect("no limits", "/lichess?since=0000-01&until=3000-12", ALL)
    expect("rated is a word", "/lichess?modes=rated", [1, 0, 2])
    expect("casual", "/lichess?modes=casual", [2, 3, 0])
    for path in ("/player?player=Ada&color=white&topGames=3", "/masters?recentGames=4", "/lichess?moves=999&topGames=99",
                 "/lichess?recentGames=1000000", "/player?player=Ada&color=w"):
        expect("counts", path)
    for new, old in (("/masters?play=e2e4", "/master?play=e2e4"), ("/masters/pgn/3", "/master/pgn/3"),
                     ("/player?player=Ada&color=white", "/personal?player=Ada&color=white")):
        is_so(old, expect("old paths", old), expect("old paths", new))
    history = expect("old paths", "/lichess/history?play=e2e4")
    is_so("/lichess/history", history["history"], expect("history", "/lichess?play=e2e4&history=true")["history"])
    for bad in ("/player?player=Ada", "/player?player=Ada&color=green", "/lichess?play=e2e5", "/lichess?fen=x",
                "/lichess?speeds=slow", "/lichess?ratings=17", "/lichess?since=then", "/lichess?since=2019-13",
                "/lichess?variant=atomic", "/lichess?history=maybe", "/masters?moves=-1", "/lichess?modes=unrated",
                "/lichess?play=e2e4&play=d2d4"):
        expect("refused", bad, status=400)


def details():
    answer = expect("details", "/lichess?topGames=15&recentGames=15")
    is_so("a mean is not truncated", [game["id"] for game in answer["topGames"]][:3], ["3", "8", "1"])
    is_so("games that end have a move", {game["uci"] for game in expect("end", "/lichess?play=d2d4,d7d5")["topGames"]}, {"0000"})
    expect("names", "/player?player=carlsen&color=white", [1, 0, 0])
    for name in ("Magnus+Carlsen", "Carlsen,+Magnus", "=Carlsen,M", "Carl*"):
        expect("names", f"/player?player={name}&color=white", [1, 0, 0])
        is_so(name, expect("names", f"/api/find?player={name}&count=1")["count"], 1)
        is_so(name, expect("names", f"/api/explore?player={name}")["games"], 1)
    expect("names", "/player?player==Carlsen&color=white", [0, 0, 0])
    for path in ("/api/find?player=Karlsen,+Magnus", "/api/find?white=Magnus+Carlson&count=1",
                 "/api/explore?player=Carlson", "/api/find?player=Carlson,+Magnus&sort=-elo"):
        is_so(path, expect("near names", path).get("near"), None if "Karl" in path else ["Carlsen,M"])
    is_so("no near names", "near" in expect("near names", "/api/find?player=carlsen"), False)
    is_so("none is near", "near" in expect("near names", "/api/find?player=Xyzzy"), False)
    for prefix in ("magnus+carl", "carls", "Carlsen,+M", "CARLSEN"):
        is_so(prefix, expect("names", "/api/names?prefix=" + prefix)["names"], [{"name": "Carlsen,M", "games": 1}])
    is_so("most games first", expect("names", "/api/names?prefix=ad")["names"], [{"name": "Ada", "games": 4}])
    is_so("one letter", expect("names", "/api/names?prefix=a")["names"], [])
    for bad in ("/api/names", "/api/names?prefix=ab&limit=0", "/api/names?prefix=ab&limit=51"):
        expect("refused", bad, status=400)
    for text, query, count in (("Magnus+Carlsen", 'player ~"Magnus Carlsen"', 1), ("ada+hal", 'either (white ~"ada" black ~"hal")', 1),
                               ("Ada+vs+Bo", 'either (white ~"Ada" black ~"Bo")', 1), ("player+ada", "player ada", 4)):
        answer = expect("typed", "/api/find?count=1&text=" + text)
        is_so(text, (answer["count"], answer["query"]), (count, query))
        is_so(text, "parts" in answer, text != "player+ada")
        is_so(text, expect("typed", "/api/explore?text=" + text)["games"], count)
    is_so("text and q", expect("typed", "/api/find?count=1&text=ada&q=result+1-0")["count"], 1)
    for text in ("nobody+here", "playr+ada", "ada+vs+nobody"):
        expect("typed", "/api/find?text=" + text, status=400)
        expect("typed", "/api/understand?text=" + text, status=400)
    is_so("parts", expect("typed", "/api/understand?text=Carlsen+2019"), {
        "query": 'player ~"Carlsen" date 2019', "games": expect("typed", "/api/find?text=Carlsen+2019&count=1")["count"],
        "parts": [{"kind": "player", "text": "Carlsen", "offset": 0, "length": 7, "query": 'player ~"Carlsen"'},
                  {"kind": "year", "text": "2019", "offset": 8, "length": 4, "query": "date 2019"}],
        "others": [{"query": "opening Carlsen date 2019", "games": 0,
                    "parts": [{"kind": "opening", "text": "Carlsen", "offset": 0, "length": 7, "query": "opening Carlsen"},
                              {"kind": "year", "text": "2019", "offset": 8, "length": 4, "query": "date 2019"}]}]})
    answer = expect("typed", "/api/understand?text=benoni")
    is_so("an opening", (answer["query"], [other["query"] for other in answer["others"]]), ("opening benoni", ["benoni"]))
    for bad in ("/api/understand", "/api/understand?text=", "/api/understand?text=%20", "/api/understand?text=elo+24x"):
        expect("refused", bad, status=400)


berserk()
en_croissant()
openingtree()
lichess_itself()
details()
with open(OUT, "w") as file:
    file.write("\n".join(answers))
if failures:
    sys.exit("\n".join(failures))
