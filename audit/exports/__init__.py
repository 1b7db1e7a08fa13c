"""A study's raw numbers in the forms that other tools read."""
