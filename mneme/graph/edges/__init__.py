"""The generators of edges, one a file: each looks at a new insight and at earlier ones, and returns edges."""
