# Prints what is no text in any encoding, to its limit: it is kept as question marks.
print("\udc80\ud83d" * 100)
return "printed"
