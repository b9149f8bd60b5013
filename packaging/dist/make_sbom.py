"""make_sbom.py VERSION FILE - writes the bill of materials of a release as SPDX 2.3 JSON.

The list is packaging/dependencies.json; versions are those of this machine, as pkg-config knows them, or those in the
lists of npm packages. The same commit and machine give the same bytes.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELATIONS = {"STATIC_LINK": "STATIC_LINK", "RUNTIME_DEPENDENCY": "RUNTIME_DEPENDENCY_OF", "TEST": "TEST_DEPENDENCY_OF"}


def npm_versions():
    found = {}
    for path in (ROOT / "web", ROOT / "test/table", ROOT / "test/bundlers"):
        file = path / "package.json"
        found.update(json.loads(file.read_text("utf-8")).get("devDependencies", {}))
    return found


def version_of(dependency, npm):
    if "package" in dependency:
        asked = subprocess.run(["pkg-config", "--modversion", dependency["package"]], capture_output=True, text=True, check=False)
        return asked.stdout.strip() or "NOASSERTION"
    return npm.get(dependency["name"], "NOASSERTION")


def package(name, version, licence, comment):
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "comment": comment}


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")


def main():
    version, target = sys.argv[1:]
    dependencies = json.loads((ROOT / "packaging/dependencies.json").read_text("utf-8"))
    npm = npm_versions()
    packages = [package("tabiya", version, "MIT", "chess games and positions as data")]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": identifier("tabiya")}]
    for d in dependencies:
        packages.append(package(d["name"], version_of(d, npm), d["licence"], "for " + d["of"]))
        pair = [identifier("tabiya"), identifier(d["name"])]
        if d["use"] != "STATIC_LINK":
            pair.reverse()
        relations.append({"spdxElementId": pair[0], "relationshipType": RELATIONS[d["use"]], "relatedSpdxElement": pair[1]})
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tabiya-{version}",
                "documentNamespace": f"https://example.org/spdx/tabiya-{version}",
                "creationInfo": {"created": created, "creators": ["Tool: make_sbom.py"]},
                "packages": packages, "relationships": relations}
    pathlib.Path(target).write_text(json.dumps(document, indent=1) + "\n", "utf-8")


main()
