# Is itself a page of one expression with two thousand operands: it is compiled, or refused with a SyntaxError or RecursionError.
return eval("+".join(["1"] * 2000))
