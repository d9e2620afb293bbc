project = "jobmetrics"
extensions = ["myst_parser"]
root_doc = "README"
html_theme = "furo"
myst_heading_anchors = 4
exclude_patterns = ["api", "website", "man"]
