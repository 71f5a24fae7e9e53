# Has native functions compute for ever (factorial, comb, pow with a modulus): the fuel ends it.
import math
return math.factorial(10**7) % 3
