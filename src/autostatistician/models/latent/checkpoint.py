"""Chains in a file, so that another run goes on from there: arrays as NumPy writes them, the rest as JSON."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.files import write_whole
from autostatistician.errors import CheckpointError
from autostatistician.models.latent.chain import SamplerState
from autostatistician.models.latent.chains import Draws, MarkovChain
from autostatistician.models.latent.hamiltonian import LeapfrogStep

__all__ = ["identity", "read", "write"]

Array = NDArray[np.float64]

REMEDY = "continue with the same, or remove the file"
DRAWN = ("sweeps", "labels", "X", "parameters")


def identity(Y: Array, settings: dict[str, Any]) -> str:
    """A hash of data and settings: chains go on with the same ones alone."""
    described = json.dumps([list(Y.shape), settings], sort_keys=True)
    return sha256(described.encode() + np.ascontiguousarray(Y).tobytes()).hexdigest()


def write(path: Path, chains: list[MarkovChain], of: str) -> None:
    """Replace the file by one that holds the chains.

    Raises
    ------
    WriteError
        When it cannot be written; the old file stays.
    """
    arrays: dict[str, NDArray[Any]] = {}
    for k, chain in enumerate(chains):
        state = chain.state
        meta = {
            "step": asdict(state.step),
            "sweeps": state.sweeps,
            "level": state.level,
            "generator": chain.generator.bit_generator.state,
        }
        arrays |= {f"{k}.labels": state.labels, f"{k}.X": state.X, f"{k}.parameters": state.parameters}
        arrays |= {f"{k}.trace": chain.trace, f"{k}.meta": _bytes(meta)}
        for kind, draws in (("kept", chain.kept), ("shown", chain.shown)):
            arrays |= {f"{k}.{kind}.{name}": getattr(draws, name) for name in DRAWN}
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, of=_bytes({"of": of, "chains": len(chains)}), **arrays)
    write_whole(path, file.getvalue())


def read(path: Path, of: str) -> list[MarkovChain] | None:
    """The chains of a file, or None where there is none.

    Raises
    ------
    CheckpointError
        When it is no file of chains, is damaged, or is one of other data or settings.
    """
    if not path.exists():
        return None
    if not path.is_file():
        raise _error(path, "something that is no file")
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            header = json.loads(arrays["of"].tobytes())
            if header["of"] != of:
                raise _error(path, "chains of other data or settings")
            return [_chain(arrays, k) for k in range(int(header["chains"]))]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise _error(path, f"a fault ({type(error).__name__}: {error})") from error


def _chain(arrays: Any, k: int) -> MarkovChain:
    meta = json.loads(arrays[f"{k}.meta"].tobytes())
    generator = np.random.default_rng()
    generator.bit_generator.state = meta["generator"]
    step = LeapfrogStep(**meta["step"])
    labels, X, parameters = (arrays[f"{k}.{name}"] for name in ("labels", "X", "parameters"))
    state = SamplerState(labels, X, parameters, step, int(meta["sweeps"]), float(meta["level"]))
    kept, shown = (Draws(*(arrays[f"{k}.{kind}.{name}"] for name in DRAWN)) for kind in ("kept", "shown"))
    return MarkovChain(state, generator, arrays[f"{k}.trace"], kept, shown)


def _bytes(value: object) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def _error(path: Path, fault: str) -> CheckpointError:
    return CheckpointError.of(f"chains of these data and settings in {str(path)!r}", fault, REMEDY)
