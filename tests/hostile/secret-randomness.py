# Asks for the host's randomness and its network card (uuid1): both come from the seed.
import os, random, secrets, uuid
return [os.urandom(4).hex(), secrets.token_hex(4), random.SystemRandom().random() < 1, hex(uuid.getnode()), str(uuid.uuid4())]
