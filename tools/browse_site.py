"""Open pages of a site in headless Chromium: no errors in the console, and everything that they ask for is there.

    python tools/browse_site.py FOLDER [--pictures FOLDER]

The site is served on this machine for as long as it takes, and Chromium is told that there is no other one. With
--pictures the main pages are kept as PNG files, 1400 and 400 pixels wide. Without Chromium nothing is done, and that is
said.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
#: A front page, a page of the guide, one with formulas, one of the gallery, and one of the reference.
PAGES = (
    "index.html",
    "guide/troubleshooting.html",
    "guide/unlabeled-rows.html",
    "theory/objective.html",
    "gallery/index.html",
    "gallery/plot_two_moons.html",
    "api/index.html",
    "api/generated/s2auc.S2AUCClassifierCV.html",
    "results/accuracy.html",
    "reproduction/report.html",
    "search.html?q=threshold",
)
WIDTHS = {1400: 1800, 400: 1800}


@contextmanager
def served(site: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve a folder on the loopback address; yield its address, and a list that gets what was asked for in vain."""
    missing: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

        def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
            missing.append(f"{self.path} ({code})")
            super().send_error(code, message, explain)

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", missing
        finally:
            server.shutdown()


def open_page(chromium: str, address: str, width: int, height: int, picture: Path) -> list[str]:
    """Open an address, keep a picture of it, and return the errors that the console got."""
    with tempfile.TemporaryDirectory() as profile:
        ended = subprocess.run(
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--hide-scrollbars",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                f"--user-data-dir={profile}",
                f"--window-size={width},{height}",
                "--virtual-time-budget=8000",
                "--enable-logging=stderr",
                f"--screenshot={picture}",
                address,
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    lines = re.findall(r"CONSOLE[^\]]*\] (.*)", ended.stderr)
    # Chromium tells of all levels alike; these begin errors, or are what it says of requests that failed.
    return [line for line in lines if re.search(r"Error|Failed to load|Uncaught|net::|Refused", line)]


def framed(site: Path, page: str, width: int, height: int) -> str:
    """Write a page that shows another one in a frame as wide as a telephone, and return its name."""
    name = "_narrow.html"
    frame = f'<iframe src="{page}" width="{width}" height="{height}" style="border:0"></iframe>'
    (site / name).write_text(f'<!doctype html><title>narrow</title><body style="margin:0">{frame}', encoding="utf-8")
    return name


def main() -> None:
    """Open the main pages, and tell what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path, help="folder of the site")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the pages")
    arguments = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        print("Chromium is not installed: pages were not opened in a browser.")
        return
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as scratch, served(arguments.site) as (address, missing):
        folder = arguments.pictures or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for page in PAGES:
            for width, height in WIDTHS.items():
                # Windows have a least width that is larger than a telephone's.
                shown = page if width > 500 else framed(arguments.site, page, width, height)
                picture = folder / f"{re.sub(r'[^a-z0-9]+', '-', page.split('.html')[0].lower())}-{width}.png"
                errors = open_page(chromium, f"{address}/{shown}", width, height, picture)
                faults += [f"{page}, {width} pixels: {error}" for error in errors]
                if not picture.is_file():
                    faults.append(f"{page}, {width} pixels: no picture came of it.")
        (arguments.site / "_narrow.html").unlink(missing_ok=True)
        # Browsers ask every site for one, whatever its pages say.
        faults += [f"Not there: {path}" for path in missing if "favicon.ico" not in path]
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"{len(faults)} faults.")
    print(f"{len(PAGES)} pages opened in Chromium at {len(WIDTHS)} widths: no errors, and everything loads.")


if __name__ == "__main__":
    main()
