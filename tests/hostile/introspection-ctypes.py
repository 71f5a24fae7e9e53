# Loads libraries of the machine (ctypes, cffi, extension modules): there is no such thing.
got = []
for attempt in ["__import__('ctypes').CDLL(None)", "__import__('_ctypes').dlopen('libc.so.6')", "__import__('cffi').FFI()",
                "__import__('ctypes').string_at(id(s3), 64)", "__import__('_imp').create_dynamic(None)",
                "__import__('importlib.machinery').machinery.ExtensionFileLoader('x', '/lib/x.so').load_module()"]:
    try:
        got.append([attempt, repr(eval(attempt))])
    except BaseException as e:
        pass
return got
