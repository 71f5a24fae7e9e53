# Measures the host by its clocks, to tell what others do: each look moves each clock by the same step.
import time
def steps(clock):
    looks = [clock() for _ in range(50)]
    return len({b - a for a, b in zip(looks, looks[1:])})
return [steps(time.perf_counter_ns), steps(time.monotonic_ns), steps(time.time_ns)]
