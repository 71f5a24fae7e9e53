# Has URLs signed, which would carry rights out: programs get no signature.
refused = []
for name, arguments in [("generate_presigned_url", ("get_object",)), ("generate_presigned_post", ("zoo", "k"))]:
    try:
        refused.append(getattr(s3, name)(*arguments)["fields"]["signature"])
    except Exception as e:
        refused.append(f"{type(e).__name__}: {e}")
return refused
