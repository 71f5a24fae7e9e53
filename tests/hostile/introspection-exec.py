# Compiles and runs code by eval, exec and compile with other globals: it has what the program has.
refused = []
for text in ["__import__('os').system('id')", "open('/etc/passwd').read()", "().__class__.__base__.__subclasses__()[0]", "__import__('socket')"]:
    for names in ({}, {"__builtins__": {}}, {"__builtins__": __builtins__}):
        try:
            refused.append(repr(eval(text, dict(names)))[:20])
        except Exception as e:
            refused.append(type(e).__name__)
return sorted(set(refused))
