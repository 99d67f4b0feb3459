"""What pages show: values for the templates, made of records."""
