"""The parts of the HTML report; :func:`report.render.html.page.render_html` puts them together."""
