"""The colours of figures and pages: one table for light, one for dark; the names are those of the CSS variables."""

from __future__ import annotations

import re

__all__ = ["BAND_OPACITY", "DARK", "DARK_OPACITY", "LIGHT", "css_variables", "group_colour", "with_variables"]

GROUPS = 8  # colours of groups; further groups take them again

# Every value of LIGHT occurs once: figures are drawn with these colours and each is then replaced by its variable.
LIGHT = {
    "paper": "#ffffff",
    "surface": "#f5f7f9",
    "ink": "#1f2933",
    "muted": "#5b6774",
    "rule": "#dde2e8",
    "grid": "#e9ecf0",
    "axis": "#9aa6b2",
    "data": "#222b35",
    "mean": "#2a5d8f",
    "forecast": "#bf5418",
    "sample-1": "#1d877d",
    "sample-2": "#855aac",
    "sample-3": "#a37511",
    "accent": "#24598c",
    "group-1": "#0b62a4",
    "group-2": "#c4471b",
    "group-3": "#17806d",
    "group-4": "#8a4fb0",
    "group-5": "#946a00",
    "group-6": "#b83280",
    "group-7": "#4a7a1e",
    "group-8": "#7a4a2b",
}

DARK = {
    "paper": "#14181d",
    "surface": "#1c2229",
    "ink": "#e5e9ee",
    "muted": "#a3afbb",
    "rule": "#323b45",
    "grid": "#272f38",
    "axis": "#65717e",
    "data": "#dfe5eb",
    "mean": "#79b0e4",
    "forecast": "#f0965a",
    "sample-1": "#4fc0b3",
    "sample-2": "#b994e0",
    "sample-3": "#d8ab46",
    "accent": "#8abcec",
    "group-1": "#6db3f2",
    "group-2": "#ff8f66",
    "group-3": "#4fd0b5",
    "group-4": "#c79bf0",
    "group-5": "#e0b24d",
    "group-6": "#f283bd",
    "group-7": "#9ccf66",
    "group-8": "#d0a07c",
}

# Opacity of bands by role; on dark paper the same colour needs more of it. The values of the first table differ too.
BAND_OPACITY = {"signal": 0.25, "observation": 0.16, "forecast": 0.22}
DARK_OPACITY = {"signal": 0.4, "observation": 0.27, "forecast": 0.36}

_VARIABLES = {colour: f"var(--{name}, {colour})" for name, colour in LIGHT.items()} | {
    f"opacity: {opacity}": f"opacity: var(--band-{role}, {opacity})" for role, opacity in BAND_OPACITY.items()
}


def group_colour(group: int) -> str:
    """The name of the colour of a group, counted from 1.

    >>> group_colour(1), group_colour(9)
    ('group-1', 'group-1')
    """
    return f"group-{(group - 1) % GROUPS + 1}"


def css_variables(colours: dict[str, str], opacities: dict[str, float]) -> str:
    """Declarations of one table of colours and one of opacities.

    >>> css_variables({"ink": "#1f2933"}, {"signal": 0.25})
    '--ink: #1f2933; --band-signal: 0.25;'
    """
    variables = colours | {f"band-{role}": str(opacity) for role, opacity in opacities.items()}
    return " ".join(f"--{name}: {value};" for name, value in variables.items())


def with_variables(style: str) -> str:
    """Replace colours and opacities of the light tables by their variables, so that a dark page can change them.

    >>> with_variables("fill: none; stroke: #2a5d8f")
    'fill: none; stroke: var(--mean, #2a5d8f)'
    >>> with_variables("opacity: 0.25")
    'opacity: var(--band-signal, 0.25)'
    """
    return re.sub(r"#[0-9a-f]{6}\b|opacity: [.0-9]+", lambda match: _VARIABLES.get(match[0], match[0]), style)
