"""Web access: guarded requests, robots.txt, search engines, pages and their pictures."""
