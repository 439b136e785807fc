"""Decides whether two functions are the same code apart from differences that never change what a call does."""
