"""``arena check``: whether a bot may play, and what its author would want to know."""
