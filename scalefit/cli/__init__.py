"""The command line: one module for each command, options written once, an error boundary around all."""
