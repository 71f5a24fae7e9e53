# Normalises and folds text that grows, and counts its graphemes: it is done, or refused.
import unicodedata
return len(unicodedata.normalize("NFKD", "\ufdfa" * 300_000).casefold())
