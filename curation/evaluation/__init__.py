"""Pure evaluation: a run is scored, two reports are compared, rules decide."""
