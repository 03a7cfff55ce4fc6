"""The language of models: leaves, expressions, kernels with their parameters, and what is done to them without data.

The names below are for users of the library; its own code imports every name from the file that it is made in.
"""

from autostatistician.language.count import effective_parameters as effective_parameters
from autostatistician.language.count import held_values as held_values
from autostatistician.language.expr import ChangePoint as ChangePoint
from autostatistician.language.expr import ChangeWindow as ChangeWindow
from autostatistician.language.expr import Expr as Expr
from autostatistician.language.expr import Leaf as Leaf
from autostatistician.language.expr import Product as Product
from autostatistician.language.expr import Sum as Sum
from autostatistician.language.format import format_expr as format_expr
from autostatistician.language.format import to_latex as to_latex
from autostatistician.language.grammar import neighbours as neighbours
from autostatistician.language.kernel import Kernel as Kernel
from autostatistician.language.kernel import leaf as leaf
from autostatistician.language.languages import LANGUAGES as LANGUAGES
from autostatistician.language.languages import Language as Language
from autostatistician.language.rewrite import canonical as canonical
from autostatistician.language.rewrite import components as components
from autostatistician.language.rewrite import sum_of_products as sum_of_products
from autostatistician.language.simplify import simplify as simplify
from autostatistician.language.text import format_kernel as format_kernel
from autostatistician.language.text import parse as parse
from autostatistician.language.text import parse_kernel as parse_kernel
from autostatistician.language.units import rescaled as rescaled
