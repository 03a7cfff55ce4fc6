"""Take a fitted model apart: posterior of each additive part, their order, and facts about each."""

from autostatistician.decompose.components import decompose as decompose
from autostatistician.decompose.records import Bend as Bend
from autostatistician.decompose.records import Component as Component
from autostatistician.decompose.records import Curve as Curve
from autostatistician.decompose.records import Decomposition as Decomposition
from autostatistician.decompose.records import Fitted as Fitted

__all__ = ["Bend", "Component", "Curve", "Decomposition", "Fitted", "decompose"]
