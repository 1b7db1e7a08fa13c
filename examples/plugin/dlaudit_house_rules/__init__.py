"""An example of rules in a package of their own."""
