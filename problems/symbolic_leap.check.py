import json
import sys

given = json.loads(sys.argv[1])
year = given["values"].get("year")


def leap_a(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leap_b(year: int) -> bool:
    return year % 4 == 0


right = given["verdict"] == "different" and isinstance(year, int) and leap_a(year) != leap_b(year)
print(json.dumps({"valid": right, "reason": "they differ on years such as 1900"}))
