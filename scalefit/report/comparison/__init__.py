"""Comparisons of recipes, written for persons and programs."""
