"""What we tell a model about its program: what is wrong, where, and what to do."""


class Refused(Exception):
    """A program that can't be answered as it is; `steps` say how to mend it."""

    def __init__(self, message, steps, code="input_rejected"):
        super().__init__(message)
        self.message = message
        self.steps = steps
        self.code = code

    def frame(self, item=None, line=None):
        frame = {"kind": "refused", "code": self.code, "message": self.message, "steps": list(self.steps)}
        return frame if item is None else {**frame, "item": item, "line": line}
