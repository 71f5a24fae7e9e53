# Runs event loops, shells and servers by asyncio: it is not there.
got = []
for attempt in ["asyncio.run(asyncio.create_subprocess_shell('id'))", "asyncio.new_event_loop()", "asyncio.run(asyncio.open_connection('localhost', 22))"]:
    try:
        import asyncio
        got.append(repr(eval(attempt)))
    except Exception as e:
        got.append(type(e).__name__)
return got
