"""`python -m curation.cli`: the command line without its script on the path."""

from curation.cli.main import main

main()
