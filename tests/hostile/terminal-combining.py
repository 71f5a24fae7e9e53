# Returns a letter under ten thousand accents, and characters without width: it is text, and passes as it is.
return "e" + "\u0301" * 50 + "\u200b\u200d\ufeff\u00ad"
