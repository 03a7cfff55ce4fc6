"""All published rows of ours are of one version, that of the package, or the table is named here."""

from autostatistician import __version__
from common import RESULTS, own_versions

# Tables with rows of 0.1 that `run_all.py` has not made anew yet; the list may only become shorter.
EARLIER = frozenset({"scale.csv", "tables-scale.csv"})


def test_rows_are_of_one_code_of_this_version() -> None:
    found = {name: codes for name, codes in own_versions(RESULTS).items() if name not in EARLIER}
    every = set().union(*found.values())
    assert len(every) == 1, {name: codes for name, codes in found.items() if len(codes) > 1}
    assert every.pop().startswith(f"{__version__}+")


def test_tables_that_wait_are_of_more_than_one_version() -> None:
    versions = own_versions(RESULTS)
    done = {name for name in EARLIER if all(code.startswith(f"{__version__}+") for code in versions[name])}
    assert not done, "take them off the list"
