import ast
from collections.abc import Callable

class ConditionLambdaInspection:
    node: ast.Lambda

inspect_lambda_condition: Callable[..., ConditionLambdaInspection | None]
