"""What every page and route shares: who is asking, problem details, reading a body; no routes."""
