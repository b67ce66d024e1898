"""Files in: each reader gives records and refusals, one at a time, in bounded memory."""
