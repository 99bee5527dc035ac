"""The graph: insights and edges, the rules that draw edges, and the store they are kept in. Knows no cells."""
