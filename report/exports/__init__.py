"""Certificates in forms for others: ClaimReview, CSV and the bundle. They read certificates only."""
