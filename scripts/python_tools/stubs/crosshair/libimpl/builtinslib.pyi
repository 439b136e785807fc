from collections.abc import MutableMapping

class ModelingDirector:
    global_representations: MutableMapping[type, object]
