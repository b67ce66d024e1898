"""The pages' parts: the server, the guard, the theme, and the components that draw and listen."""
