"""What a person or a program reads: one module for each kind of output."""
