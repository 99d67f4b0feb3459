"""One check, from the order to the body of the certificate."""
