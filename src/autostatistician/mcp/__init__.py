"""A server for agents: tables of one folder looked at, modelled and asked (the extra ``mcp``)."""
