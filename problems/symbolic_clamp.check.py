import json
import sys

given = json.loads(sys.argv[1])


def clamp(x: int, low: int, high: int) -> int:
    return low if x < low else high if x > high else x


holds = all(a <= clamp(x, a, b) <= b for x in range(-6, 7) for a in range(-5, 6) for b in range(a, 6))
right = holds and given["verdict"] == "verified"
print(json.dumps({"valid": right, "reason": "it is always between them"}))
