"""Samples and labels: cuts of photos and scenes, distortions, detections of exported networks. No torch here."""
