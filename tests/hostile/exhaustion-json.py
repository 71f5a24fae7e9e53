# Has json read and write what is nested too deeply: a RecursionError, or the stack's limit.
import json
return json.loads("[" * 1_000_000 + "]" * 1_000_000)
