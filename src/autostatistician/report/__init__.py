"""Report: a Document becomes HTML, Markdown or JSON; its figures become SVG. Never sees a kernel or a matrix.

Importing this room is cheap: matplotlib and Jinja2 are imported when the first figure or page is made.
"""

from autostatistician.report.figures import figure_matplotlib as figure_matplotlib
from autostatistician.report.figures import figure_svg as figure_svg
from autostatistician.report.jsonform import read_answer as read_answer
from autostatistician.report.jsonform import read_forecast as read_forecast
from autostatistician.report.jsonform import read_report as read_report
from autostatistician.report.jsonform import read_search as read_search
from autostatistician.report.jsonform import schema as schema
from autostatistician.report.render import check_path as check_path
from autostatistician.report.render import to_html as to_html
from autostatistician.report.render import to_json as to_json
from autostatistician.report.render import to_markdown as to_markdown
from autostatistician.report.render import to_pdf as to_pdf
from autostatistician.report.render import write as write

__all__ = [
    "check_path", "figure_matplotlib", "figure_svg", "read_answer", "read_forecast", "read_report", "read_search",
    "schema", "to_html", "to_json", "to_markdown", "to_pdf", "write",
]  # fmt: skip
