# Doubles texts by replace, join, format and padding: each is refused with an exception, or the memory's limit ends the program.
refused = []
for attempt in ["('a' * 10**5).replace('a', 'b' * 10**5)", "('a' * 10**5).join(['b'] * 10**5)", "'{:>2000000000}'.format(1)", "'%2000000000d' % 1", "'a'.ljust(2**31 - 10)", "'a'.zfill(2**31 - 10)", "f'{1:0{10**9}}'", "b'a'.center(2**31 - 10)", "'\\t'.expandtabs(2**31 - 10)", "('a' * 10**6).translate({97: 'b' * 10**6})"]:
    try:
        refused.append(len(eval(attempt)))
    except Exception as e:
        refused.append(type(e).__name__)
return refused
