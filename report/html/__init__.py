"""The parts of the HTML report; :func:`report.render_html.render_html` puts them together."""
