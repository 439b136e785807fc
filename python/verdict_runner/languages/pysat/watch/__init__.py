"""Wraps the methods of PySAT's engines and records what a program asks them and what they answer."""
