import json
import sys

given = json.loads(sys.argv[1])


def lines_of(age: int, is_student: bool) -> set[int]:
    """The lines that a call runs, written down by hand."""
    ran = {2}
    if age < 0:
        return ran | {3}
    ran.add(4)
    if age < 12:
        return ran | {5}
    ran.add(6)
    if age < 6:
        return ran | {7}
    ran.add(8)
    return ran | ({9} if is_student and age >= 12 else {10})


ran = set().union(*(lines_of(age, student) for age in range(-50, 200) for student in (False, True)))
dead = sorted(set(range(2, 11)) - ran)
right = given["verdict"] == "complete" and given["values"].get("lines") == dead
print(json.dumps({"valid": right, "reason": f"the dead lines are {dead}"}))
