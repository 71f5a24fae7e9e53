"""Makes the catalogue in kb/ anew, always the same: python3 catalogue.py

80 courses on 12 topics, with offerings, ratings with reviews, and 9 programmes. Codes, titles and
names are invented.
"""

import json
import pathlib
import random

TOPICS = {
    "ALG": ("Algorithms", ["sorting and searching", "graphs", "approximation", "randomness"]),
    "SYS": ("Computer Systems", ["processes", "memory", "file systems", "concurrency"]),
    "NET": ("Networks", ["routing", "congestion", "wireless links", "measurement"]),
    "AI": ("Artificial Intelligence", ["search", "planning", "games", "uncertainty"]),
    "ML": ("Machine Learning", ["regression", "neural networks", "clustering", "evaluation"]),
    "NLP": ("Language Processing", ["parsing", "translation", "dialogue", "speech"]),
    "HCI": ("Human-Computer Interaction", ["prototypes", "user studies", "accessibility", "ethics"]),
    "GFX": ("Computer Graphics", ["rendering", "animation", "geometry", "light"]),
    "SEC": ("Security", ["cryptography", "web attacks", "privacy", "protocols"]),
    "DB": ("Databases", ["query plans", "transactions", "storage", "data cleaning"]),
    "PL": ("Programming Languages", ["types", "compilers", "semantics", "verification"]),
    "THY": ("Theory", ["logic", "automata", "complexity", "probability"]),
}
FORMS = [
    "Introduction to {}", "Foundations of {}", "Topics in {}", "{} in Practice",
    "Advanced {}", "A Project in {}", "{} for Everyone",
]
FOUNDATIONS = {
    "ALG": "algorithmic_analysis", "SYS": "computer_organization_and_systems",
    "THY": "logic_automata_and_complexity", "ML": "probability",
    "PL": "principles_of_computer_systems", "NET": "principles_of_computer_systems",
}
BREADTH = {
    "ALG": "formal_foundations", "THY": "formal_foundations", "PL": "formal_foundations",
    "AI": "learning_and_modeling", "ML": "learning_and_modeling", "NLP": "learning_and_modeling",
    "SYS": "systems", "NET": "systems", "DB": "systems", "SEC": "systems",
    "HCI": "people_and_society", "GFX": "people_and_society",
}
FIRST = ["Ada", "Bruno", "Clara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas"]
LAST = ["Abbott", "Berger", "Castellan", "Dahl", "Eriksen", "Fontaine", "Grewal", "Holm"]
DAYS = [["Monday", "Wednesday"], ["Tuesday", "Thursday"], ["Friday"], ["Monday", "Wednesday", "Friday"]]
SEASONS = ["autumn", "winter", "spring", "summer"]
REVIEWS = [
    "The lectures are clear and the slides are good.", "The homework is heavy, start early.",
    "The project is fun and the staff is kind.", "The exam is fair if you do the exercises.",
    "It moves fast, and the first weeks are hard.", "An easy course with little homework.",
    "You learn a lot, but the grading is strict.", "The teacher answers every question.",
]
PROGRAMS = [
    ("MS", "general"), ("MS", "artificial intelligence"), ("MS", "systems"), ("MS", "theory"),
    ("MS", "human-computer interaction"), ("BS", "general"), ("BS", "security"),
    ("PhD", "general"), ("PhD", "theory"),
]


def catalogue():
    chance = random.Random(80)
    courses, offerings, ratings = [], [], []
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    for number in range(80):
        code, (topic, subjects) = list(TOPICS.items())[number % 12]
        level = number // 12
        least = chance.choice([2, 3, 3, 4])
        course = {
            "course_id": 1001 + number,
            "title": FORMS[level].format(topic),
            "course_codes": [f"{code} {101 + 40 * level + number % 7}"],
            "description": f"This course is about {', '.join(subjects[:3])} and {subjects[3]}. "
            + ("Students build a larger program in a team." if level in (3, 5) else
               "There are weekly exercises and an exam."),
            "min_units": least,
            "max_units": min(5, least + chance.choice([0, 1, 1])),
            "grading": chance.choice(["Letter or Credit/No Credit", "Letter", "Credit/No Credit"]),
            "average_hours_spent": chance.choice([6.5, 8.0, 9.5, 11.0, 13.5, 16.0]),
            "general_requirements": ["writing"] if level == 2 else [],
            "foundations_requirement": [FOUNDATIONS[code]] if code in FOUNDATIONS and level < 2 else [],
            "breadth_requirement": [BREADTH[code]] if level in (1, 3, 4) else [],
            "significant_implementation_requirement": level in (3, 5),
            "prerequisite_course_codes": courses[number % 12]["course_codes"] if level in (4, 5) else [],
        }
        courses.append(course)
        for season in chance.sample(SEASONS, chance.choice([1, 1, 2])):
            begin = chance.choice([9, 10, 11, 13, 14, 15])
            offerings.append({
                "offering_id": 5001 + len(offerings), "course_id": course["course_id"],
                "days": chance.choice(DAYS), "start_time": f"{begin:02}:30",
                "end_time": f"{begin + 1:02}:50", "instructor_names": [chance.choice(names)],
                "season": season,
            })
        teacher = offerings[-1]["instructor_names"]
        for back in range(chance.choice([1, 1, 2, 3])):
            year = 2025 - back
            season = chance.choice(SEASONS)
            ratings.append({
                "rating_id": 9001 + len(ratings), "course_id": course["course_id"],
                "instructor_names": teacher, "average_rating": chance.randint(24, 49) / 10,
                "num_ratings": chance.randint(8, 140),
                "term_id": 10 * (year - 2000) + SEASONS.index(season),
                "start_year": year, "end_year": year + 1, "season": season,
                "reviews": " ".join(chance.sample(REVIEWS, chance.choice([2, 3, 4]))),
            })
    programs = [
        {
            "program_id": 1 + number, "level": level, "specialization": specialization,
            "sheet_requirements": requirements(level, specialization),
            "sheet_url": f"https://lakemoor.example/sheets/{level.lower()}-{specialization.replace(' ', '-')}",
        }
        for number, (level, specialization) in enumerate(PROGRAMS)
    ]
    return {"courses": courses, "offerings": offerings, "ratings": ratings, "programs": programs}


def requirements(level, specialization):
    units = {"MS": 45, "BS": 180, "PhD": 135}[level]
    focus = "one course of each area of breadth" if specialization == "general" else (
        f"five courses on {specialization}")
    return (
        f"{units} units are needed. The foundations are logic, probability and algorithms. "
        f"Besides, {focus}, and one course with a significant implementation. "
        f"At most {units // 5} units may be taken for Credit/No Credit."
    )


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent / "kb"
    for name, rows in catalogue().items():
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
