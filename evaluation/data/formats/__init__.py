"""Loaders of the field's data sets, each from local files that the user has."""
