"""What `check` writes: one module per format."""
