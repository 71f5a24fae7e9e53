# Computes with a precision of a million digits: the fuel ends it.
from decimal import Decimal, getcontext
getcontext().prec = 10**6
return str(Decimal(2).sqrt())[:10]
