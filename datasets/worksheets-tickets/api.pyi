"""The student services of Lakemoor University (invented): one ticket, one question."""


class FieldError(Exception):
    """A value that cannot be taken, by the name of its field; the user is asked for it again."""


class TicketRefused(Exception):
    """The services do not take this ticket."""


def submit_ticket(student_task: str, full_name: str, enrollment: dict | None = None, leave: dict | None = None, credits: dict | None = None, extra: str | None = None) -> dict:
    """Hands in a ticket. Returns ticket_id, team and days, within which it is answered."""
