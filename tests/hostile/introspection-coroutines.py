# Climbs out of coroutines and asynchronous generators: above them is only the program.
import sys
async def agen():
    yield sys._getframe()
async def main():
    async for frame in agen():
        names = []
        while frame is not None:
            names.append(frame.f_code.co_name)
            frame = frame.f_back
        return names
coroutine = main()
try:
    coroutine.send(None)
except StopIteration as stop:
    return [stop.value, coroutine.cr_frame is None or coroutine.cr_frame.f_code.co_name]
