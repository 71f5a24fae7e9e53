"""Enrolling in courses of Lakemoor University (invented)."""


class EnrollmentRefused(Exception):
    """The register does not take this enrolment."""


def submit_enrollment(courses: dict, student: dict) -> dict:
    """Enrols a student in two to four courses. Returns enrollment_id, units and courses."""
