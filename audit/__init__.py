"""Floor 4: the application. Command line, lint orchestration, verdict, reports, trust."""
