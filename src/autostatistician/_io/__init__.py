"""The ground: files, processes, threads, generators and plain values, which every room may use."""
