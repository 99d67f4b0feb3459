"""Images: reading a file safely, the text in it, its data. Text read from an image is only ever text."""
