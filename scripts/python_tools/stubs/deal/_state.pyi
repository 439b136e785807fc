class _State:
    color: bool

state: _State
