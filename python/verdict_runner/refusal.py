"""What we tell a model about its program: what is wrong, where, and what to do."""


class Refused(Exception):
    """A program that can't be answered as it is; `steps` say how to mend it.

    `error_type` is what a tool over Python calls it, such as "SandboxViolation".
    """

    def __init__(self, message, steps, code="input_rejected", error_type=None, line=None, column=None):
        super().__init__(message)
        self.message = message
        self.steps = steps
        self.code = code
        self.error_type = error_type
        self.line = line
        self.column = column

    def frame(self, item=None, line=None):
        frame = {"kind": "refused", "code": self.code, "message": self.message, "steps": list(self.steps)}
        told = {"item": item, "line": self.line or line, "column": self.column, "error_type": self.error_type}
        return {**frame, **{name: value for name, value in told.items() if value is not None}}
