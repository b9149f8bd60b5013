"""zip_folder.py FOLDER FILE - packs FOLDER as a zip file; the same contents give the same bytes."""

import os
import pathlib
import sys
import time
import zipfile

folder, target = pathlib.Path(sys.argv[1]), sys.argv[2]
date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), date)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, path.read_bytes())
