# Opens sockets by every module that has them: none can be imported.
import importlib
got = []
for name in ["socket", "_socket", "ssl", "_ssl", "select", "selectors", "socketserver", "asyncore", "http.server", "xmlrpc.client", "wsgiref.simple_server", "telnetlib", "ftplib", "smtplib", "imaplib", "poplib", "nntplib"]:
    try:
        module = importlib.import_module(name)
        try:
            maker = getattr(module, "socket", None) or getattr(module, "create_connection", None)
            if maker is not None:
                maker()
                got.append(name)
        except Exception:
            pass
    except Exception:
        pass
return got
