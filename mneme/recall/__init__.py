"""From a question to ranked insights: intent, anchors, walk, rank. Reads a view of the graph, and writes nothing."""
