# Climbs from tracebacks into the client's frames, and from there to what calls the host: it finds the host call that it has anyway.
try:
    s3.get_object(Bucket="zoo", Key="no such key")
except Exception as e:
    step, files = e.__traceback__, []
    while step is not None:
        files.append([step.tb_frame.f_code.co_filename, step.tb_frame.f_code.co_name])
        locals_ = step.tb_frame.f_locals
        step = step.tb_next
    return [files, sorted(k for k in locals_ if "secret" in k.lower() or "credential" in k.lower() or "token" in k.lower())]
