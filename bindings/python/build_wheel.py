"""build_wheel.py VERSION MODULE FOLDER - packs the extension module and the package's files as a wheel into FOLDER.

A wheel is a zip file with a list of its own content. The same files give the same bytes: entries are sorted and dated
SOURCE_DATE_EPOCH, or 1 January 1980.
"""

import base64
import hashlib
import os
import pathlib
import platform
import sys
import sysconfig
import time
import zipfile

HERE = pathlib.Path(__file__).parent


def platform_tag() -> str:
    """The platform tag: the machine, and the oldest C library that is supported."""
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    name, version = platform.libc_ver()
    if name == "glibc":
        return machine.replace("linux_", f"manylinux_{version.replace('.', '_')}_")
    return machine


def metadata(version: str) -> str:
    fields = (HERE / "METADATA").read_text("utf-8").replace("@VERSION@", version)
    return fields + "\n" + (HERE / "README.md").read_text("utf-8")


def content(version: str, module: pathlib.Path, tag: str) -> dict:
    """The contents of each file by name, except the list of files."""
    info = f"tabiya-{version}.dist-info"
    files = {f"tabiya/{path.name}": path.read_bytes() for path in (HERE / "tabiya").iterdir() if path.is_file()}
    files["tabiya/_tabiya.abi3.so"] = module.read_bytes()
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tabiya\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/licenses/LICENSE"] = (HERE.parents[1] / "LICENSE").read_bytes()
    return files


def record(files: dict, name: str) -> bytes:
    lines = []
    for path, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    return ("\n".join(lines) + f"\n{name},,\n").encode()


def write(path: pathlib.Path, files: dict) -> None:
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 315532800)), 315532800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            wheel.writestr(entry, data)


def main() -> None:
    version, module, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    tag = f"cp311-abi3-{platform_tag()}"
    files = content(version, module, tag)
    name = f"tabiya-{version}.dist-info/RECORD"
    files[name] = record(files, name)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("tabiya-*.whl"):
        old.unlink()
    write(folder / f"tabiya-{version}-{tag}.whl", files)
    print(folder / f"tabiya-{version}-{tag}.whl")


main()
