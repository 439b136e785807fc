import json
import sys

given = json.loads(sys.argv[1])
values = given["values"]
right = given["verdict"] == "found" and values.get("weight") == 31337 and values.get("zone") == 31337 * 3 - 11
print(json.dumps({"valid": right, "reason": "only one pair of arguments raises it"}))
