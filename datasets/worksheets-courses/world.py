"""The register, as functions over one dict: `db["courses"]` by title, `db["enrollments"]` by number."""


class EnrollmentRefused(Exception):
    pass


def submit_enrollment(db, courses, student):
    wanted = [courses.get(f"course_{number}_details") for number in range(4)]
    wanted = [course for course in wanted if isinstance(course, dict)]
    titles = [_title(db, course["course_name"]) for course in wanted]
    for title in titles:
        if titles.count(title) > 1:
            raise EnrollmentRefused(f"{title} is there twice")
    for title, course in zip(titles, wanted):
        _check(db["courses"][title], title, course)
    units = sum(course["course_num_units"] for course in wanted)
    if units > 18:
        raise EnrollmentRefused(f"{units} units are more than the 18 of a term")
    if student["student_id"] in db["holds"]:
        raise EnrollmentRefused(f"there is a hold on the account of {student['student_id']}")
    enrollment_id = f"E{len(db['enrollments']) + 501}"
    db["enrollments"][enrollment_id] = {
        "student": student["student_id"],
        "courses": {title: course["course_num_units"] for title, course in zip(titles, wanted)},
    }
    return {"enrollment_id": enrollment_id, "units": units, "courses": titles}


def _title(db, name):
    """The course of a title or a code, in any case."""
    for title, course in db["courses"].items():
        if name.lower() in (title.lower(), course["code"].lower()):
            return title
    raise EnrollmentRefused(f"there is no course {name}")


def _check(known, title, course):
    if known.get("full"):
        raise EnrollmentRefused(f"{title} is full")
    if not known["min"] <= course["course_num_units"] <= known["max"]:
        units = known["min"] if known["min"] == known["max"] else f"{known['min']} to {known['max']}"
        raise EnrollmentRefused(f"{title} is taken for {units} units")
    if course["grade_type"] not in known["grading"]:
        raise EnrollmentRefused(f"{title} is graded by {known['grading']} only")
