# Opens sockets by every module that has them: most are not there, and the bare socket of the interpreter reaches nothing.
import importlib
got, modules = [], []
for name in ["socket", "_socket", "ssl", "_ssl", "select", "selectors", "socketserver", "asyncore", "http.server", "xmlrpc.client", "wsgiref.simple_server", "telnetlib", "ftplib", "smtplib", "imaplib", "poplib", "nntplib"]:
    try:
        module = importlib.import_module(name)
        modules.append(name)
    except Exception:
        continue
    for attempt in ["socket().connect(('127.0.0.1', 22))", "socket().connect_ex(('127.0.0.1', 22)) == 0", "socket().bind(('', 8080))", "socket().listen()", "socket().accept()", "socket().send(b'x')",
                    "socket().sendto(b'x', ('127.0.0.1', 53))", "socket().recv(10)", "socket(fileno=0).recv(10)", "socket(fileno=1).send(b'x')", "socketpair()", "create_connection(('127.0.0.1', 22))",
                    "getaddrinfo('localhost', 80)", "gethostbyname('localhost')", "gethostname()", "if_nameindex()", "getservbyname('ssh')"]:
        try:
            if eval("module." + attempt) is not False:
                got.append([name, attempt])
        except Exception:
            pass
return [modules, got]
