"""What a function promises: the contracts of all styles in one form, each condition with its text and line."""


class Call:
    """One call of a function, as its conditions see it."""

    def __init__(self, function, arguments):
        self.arguments = function.complete(arguments)
        self.places, self.names = function.split(self.arguments)
        # What conditions wanted to keep of the arguments, by the condition or library that wanted it.
        self.old = {}
        self.result = None


class Condition:
    """One condition; `holds(call)` is what it says of a call, and may raise what its author's code raises."""

    def __init__(self, style, text, line, holds, error=None, source=None):
        self.style = style
        self.text = text
        # All of it, where the text is cut for readers.
        self.source = source or text
        self.line = line
        self.holds = holds
        # The class of the exception by which a library says that it does not hold.
        self.error = error


class Contract:
    """All that a function promises and asks for."""

    def __init__(self):
        self.styles = []
        self.preconditions = []
        self.postconditions = []
        # Asserts in the body, which the run itself evaluates: (text, line).
        self.asserted = []
        # What an exception of a kind means: (class, condition).
        self.reasons = []
        # Classes that a documentation declares, subclasses included; classes that each deal.raises allows, exactly.
        self.documented = []
        self.allowed = []
        # Run before the call, each with the call.
        self.memories = []
        # What forbids side effects while the function runs, or None.
        self.effects = None
        # What could not be read of what is promised, and other things that a reader should know.
        self.notes = []
        self.remarks = []

    def add(self, style):
        if style not in self.styles:
            self.styles.append(style)

    def remember(self, call):
        """Keeps what postconditions will ask of the time before the call."""
        for keep in self.memories:
            keep(call)

    def permits(self, error):
        """Whether the function may end with this exception."""
        if self.allowed:
            return all(type(error) in each for each in self.allowed)
        return isinstance(error, tuple(self.documented))

    def data(self):
        raises = {each.__name__: None for each in [*self.documented, *(one for group in self.allowed for one in group)]}
        return {
            "styles": self.styles,
            "preconditions": [each.text for each in self.preconditions],
            "postconditions": [*(each.text for each in self.postconditions), *(text for text, _ in self.asserted)],
            "raises": [*raises],
        }
