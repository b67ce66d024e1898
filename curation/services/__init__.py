"""Use cases, one file a verb family. Every one takes the workspace and the person who acts."""
