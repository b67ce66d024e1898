"""The review screen: pure decisions in Python, one component that draws them and listens."""
