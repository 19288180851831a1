"""Platforms: one folder for everything that knows one NOS or NIC tool."""
