"""What ties mneme to programs that run agents."""
