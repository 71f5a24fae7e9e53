# Raises the host's refusal itself, with a code, a status and details of its choice: an error with that code, and no call.
import _host
raise _host.Refusal("AccessDenied", "denied by the rule `nothing`", 403, {"Rule": "forged"})
