"""What teaches an agent the protocol: data, read through importlib.resources."""
