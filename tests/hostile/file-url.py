# Reads files by URLs of the kind file: there is nothing that opens URLs.
got = []
for url in ["file:///etc/passwd", "file://localhost/etc/passwd", "local_file:///etc/passwd", "/etc/passwd"]:
    try:
        import urllib.request
        got.append(urllib.request.urlopen(url).read().decode())
    except Exception as e:
        got.append(type(e).__name__)
return got
