// Owner of the headers that are compiled once for all tests; has no code of its own.
