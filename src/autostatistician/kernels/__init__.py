"""The language of models: leaves, expressions, kernels with their parameters, and what is done to them without data.

The names below are for users of the library; its own code imports every name from the file that it is made in.
"""

from autostatistician.kernels.expr import ChangePoint as ChangePoint
from autostatistician.kernels.expr import ChangeWindow as ChangeWindow
from autostatistician.kernels.expr import Expr as Expr
from autostatistician.kernels.expr import Leaf as Leaf
from autostatistician.kernels.expr import Product as Product
from autostatistician.kernels.expr import Sum as Sum
from autostatistician.kernels.expr import format_expr as format_expr
from autostatistician.kernels.expr import to_latex as to_latex
from autostatistician.kernels.grammar import LANGUAGES as LANGUAGES
from autostatistician.kernels.grammar import Language as Language
from autostatistician.kernels.grammar import Operator as Operator
from autostatistician.kernels.grammar import neighbours as neighbours
from autostatistician.kernels.kernel import Kernel as Kernel
from autostatistician.kernels.kernel import leaf as leaf
from autostatistician.kernels.kernel import rescaled as rescaled
from autostatistician.kernels.leaves import register_leaf as register_leaf
from autostatistician.kernels.rewrite import canonical as canonical
from autostatistician.kernels.rewrite import components as components
from autostatistician.kernels.rewrite import sum_of_products as sum_of_products
from autostatistician.kernels.simplify import simplify as simplify
from autostatistician.kernels.text import format_kernel as format_kernel
from autostatistician.kernels.text import parse as parse
from autostatistician.kernels.text import parse_kernel as parse_kernel
from autostatistician.kernels.traits import effective_parameters as effective_parameters
from autostatistician.kernels.traits import held_values as held_values
