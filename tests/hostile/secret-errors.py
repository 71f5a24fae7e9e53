# Has errors tell about the host (missing modules, bad addresses, broken answers): they tell about the box.
texts = []
for attempt in ["__import__('nothing_here')", "open('/etc/passwd')", "s3.get_object(Bucket='zoo', Key='no such key')", "__import__('_host').call('nothing', {})", "(1).nothing", "int('x')"]:
    try:
        eval(attempt)
    except Exception as e:
        texts.append(f"{type(e).__name__}: {e}")
return texts
