"""Way 9: unreasonably large inputs."""
