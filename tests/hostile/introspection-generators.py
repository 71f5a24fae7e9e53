# Climbs out of generators by their frames: above them is only the program.
def climb():
    frame, names = generator.gi_frame, []
    while frame is not None:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    yield names
generator = climb()
return next(generator)
