"""Tickets, as functions over one dict: `db["tickets"]` by number, `db["students"]` by name."""

import datetime


class FieldError(Exception):
    def __init__(self, field, message):
        super().__init__(field, message)
        self.field = field
        self.message = message

    def __str__(self):
        return f"{self.field}: {self.message}"


class TicketRefused(Exception):
    pass


TEAMS = {
    "Troubleshoot Student Enrollment": ("enrollment", 2),
    "Leave of Absence": ("registrar", 5),
    "External Test Credits": ("credits", 10),
}


def submit_ticket(db, student_task, full_name, enrollment=None, leave=None, credits=None, extra=None):
    if full_name.lower() not in db["students"]:
        raise FieldError("full_name", "nobody of this name is enrolled")
    _check_leave(db, leave)
    _check_credits(credits)
    _check_enrollment(db, enrollment)
    team, days = TEAMS[student_task]
    ticket_id = f"T-{len(db['tickets']) + 1}"
    db["tickets"][ticket_id] = {
        "student": full_name,
        "team": team,
        "about": {"enrollment": enrollment, "leave": leave, "credits": credits},
        "extra": extra,
    }
    return {"ticket_id": ticket_id, "team": team, "days": days}


def _check_leave(db, leave):
    form = (leave or {}).get("form_status")
    if form is None:
        return
    handed_in = datetime.date.fromisoformat(form["submission_date"])
    today = datetime.date.fromisoformat(db["today"])
    if handed_in > today:
        raise TicketRefused("the form cannot have been handed in after today")
    if (today - handed_in).days < 5:
        raise TicketRefused("forms are looked into for five days before anybody can ask for their status")


def _check_credits(credits):
    if (credits or {}).get("international_test") == "NEWL" and credits["subject"] != "Language":
        raise TicketRefused("NEWL gives units for languages only")


def _check_enrollment(db, enrollment):
    waitlist = (enrollment or {}).get("join_waitlist")
    if waitlist and waitlist["course_name"].upper() in db["full_waitlists"]:
        raise TicketRefused(f"the waitlist of {waitlist['course_name']} takes nobody any more")
