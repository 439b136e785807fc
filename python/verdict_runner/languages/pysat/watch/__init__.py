"""Wraps the methods of PySAT's engines and records a program's queries and their answers."""
