"""Plain HTTP for other programs."""
