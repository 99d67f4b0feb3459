"""What a sentence asserts, compared with a claim by their parses: of whom, of what, when, and who says so.

A model that finds a claim's words in a sentence is easily satisfied. These rules ask whether the sentence
puts them together as the claim does. They can take a badge away and never give one.
"""
