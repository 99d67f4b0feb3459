"""Trust over a whole corpus: claims drawn, paired and related, kept, ranked and explained."""
