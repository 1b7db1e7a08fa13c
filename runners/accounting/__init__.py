"""Operation accounting: how many floating-point operations a step makes, in which number formats, in which phase."""
