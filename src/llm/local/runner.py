"""Serves one model to this machine alone, with llama.cpp. Its settings are in the variables
DIALOG2API_SERVER (JSON) and LLAMA_API_KEY, which nobody but the user can read."""

import json
import os
import signal
import threading

from xllamacpp import CommonAdapterLoraInfo, CommonParams, Server, common_speculative_type

wanted = json.loads(os.environ["DIALOG2API_SERVER"])
params = CommonParams()
params.model.path = wanted["model"]
if wanted["adapter"]:
    adapter = CommonAdapterLoraInfo()
    adapter.path, adapter.scale = wanted["adapter"], 1.0
    params.lora_adapters = [adapter]
params.model_alias = {wanted["alias"]}
params.hostnames = ["127.0.0.1"]
params.port = wanted["port"]
params.api_keys = [os.environ.pop("LLAMA_API_KEY")]
params.n_ctx = wanted["context"]
params.n_parallel = wanted["slots"]
params.cpuparams.n_threads = wanted["threads"]
params.cpuparams_batch.n_threads = wanted["threads"]
params.cache_prompt = True
params.warmup = False
# A revised program repeats the one before it. Where the last eight tokens stand earlier in the
# chat, the eight that follow them there are checked at once instead of written one by one.
params.speculative.types = [common_speculative_type.COMMON_SPECULATIVE_TYPE_NGRAM_SIMPLE]
params.speculative.ngram_simple.size_n = 8
params.speculative.ngram_simple.size_m = 8

stop = threading.Event()
for name in (signal.SIGTERM, signal.SIGINT):
    signal.signal(name, lambda *_: stop.set())
server = Server(params)
print("listening on", server.listening_address, flush=True)
stop.wait()
# Nothing has to be saved, and unloading the model would take time.
os._exit(0)
