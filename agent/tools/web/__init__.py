"""The way to the web: guarded requests, robots.txt, search engines, pages and their pictures."""
