"""links.py - every relative link of the documentation leads to a file, and every #anchor to a heading: links.py FOLDER

All Markdown files that git tracks below FOLDER, or all there are outside a checkout.
"""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(sys.argv[1]).resolve()


def pages():
    listed = subprocess.run(["git", "-C", TOP, "ls-files", "*.md"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [TOP / name for name in listed.stdout.splitlines() if (TOP / name).exists()]
    return [path for path in TOP.rglob("*.md") if "node_modules" not in path.parts and "build" not in path.parts]


def text_of(path):
    """Without blocks of code."""
    return re.sub(r"^(```|~~~).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchor_of(heading):
    """As the usual renderers make it: lower case, no punctuation, hyphens for blanks."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(path):
    seen = {}
    yield from re.findall(r'<a id="([^"]+)"', text_of(path))
    for heading in re.findall(r"^#+ +(.*?)#*$", text_of(path), flags=re.M):
        name = anchor_of(heading)
        seen[name] = seen.get(name, -1) + 1
        yield name if seen[name] == 0 else f"{name}-{seen[name]}"


faults = []
n_links = 0
for page in pages():
    text = re.sub(r"`[^`\n]*`", "", text_of(page))
    for target in re.findall(r"\]\(<?([^)>\s]+)>?(?: \"[^\"]*\")?\)", text) + re.findall(r"^\[[^]]+\]: +(\S+)", text, flags=re.M):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        n_links += 1
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        shown = f"{page.relative_to(TOP)}: ({target})"
        if not path.exists():
            faults.append(f"{shown}: no such file")
        elif TOP not in path.parents and path != TOP:
            faults.append(f"{shown}: leaves the repository")
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            faults.append(f"{shown}: no such heading")
print("\n".join(faults) or f"{n_links} links")
sys.exit(bool(faults) or n_links < 100)
