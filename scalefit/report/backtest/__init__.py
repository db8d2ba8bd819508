"""Back-tests, written for persons and programs."""
