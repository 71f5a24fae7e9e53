# Reads by the host call what another program holds in another world: this world has no such thing.
told = []
for bucket in ["vault", "hunter2", "other"]:
    try:
        told.append(s3.list_objects(Bucket=bucket))
    except Exception as e:
        told.append(getattr(e, "_outcome_error", type(e).__name__))
return told
