from crosshair.tracers import NoTracing as NoTracing
from crosshair.tracers import ResumedTracing as ResumedTracing
