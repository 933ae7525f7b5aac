"""Finds traces by URIs ("name:key=value;key2>=value"), named as in the package perfetto."""
