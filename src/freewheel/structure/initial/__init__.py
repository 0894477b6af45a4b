"""The start-up system and parameters: what holds before the first step."""
