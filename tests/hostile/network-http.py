# Asks servers by HTTP, the metadata service of the cloud above all: no request leaves.
got = []
for attempt in ["__import__('urllib.request').request.urlopen('http://169.254.169.254/latest/meta-data/').read()",
                "__import__('http.client').client.HTTPConnection('169.254.169.254').request('GET', '/')",
                "__import__('requests').get('http://localhost')", "__import__('urllib3').PoolManager().request('GET', 'http://localhost')",
                "__import__('httpx').get('http://localhost')", "__import__('webbrowser').open('http://localhost')",
                "__import__('aiohttp')", "__import__('js').fetch('http://localhost')"]:
    try:
        got.append([attempt, repr(eval(attempt))])
    except Exception:
        pass
return got
