# Has eval read text that is nested and chained a hundred thousand deep: an exception each time, or the stack's limit.
told = []
for text in ["(" * 100_000 + ")" * 100_000, "[" * 5_000, "1" + "+1" * 100_000, "a" + ".a" * 100_000, "f" + "()" * 100_000, "not " * 100_000 + "1", "lambda: " * 5_000 + "1", "x if x else " * 5_000 + "1", "f'{" * 200 + "1" + "}'" * 200]:
    try:
        compile(text, "f", "eval")
        told.append("compiled")
    except Exception as e:
        told.append(type(e).__name__)
return told
