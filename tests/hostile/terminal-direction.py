# Turns the reading direction around, to make text look like other text: the turns are made visible.
return "safe\u202egnp.exe\u2066\u2069\u200f \u2028line\u2029 \u061c"
