# Waiters (botocore/waiter.py). Waiting advances the clock of the sandbox and takes no
# time.

import time


class Waiter:
    def __init__(self, name, config, operation_method):
        self.name = name
        self.config = config
        self._operation_method = operation_method

    def wait(self, **kwargs):
        _, _, delay, attempts, states = self.config
        config = kwargs.pop("WaiterConfig", {})
        delay = config.get("Delay", delay)
        attempts = config.get("MaxAttempts", attempts)
        done = 0
        matched = None
        while True:
            try:
                response = self._operation_method(**kwargs)
            except ClientError as error:
                response = error.response
            done += 1
            status = response["ResponseMetadata"]["HTTPStatusCode"]
            state = next((state for expected, state in states if expected == status), None)
            if state == "success":
                return
            if state is not None:
                matched = status
            elif "Error" in response:
                code = response["Error"].get("Code", "Unknown")
                text = response["Error"].get("Message", "Unknown")
                self._fail(f"An error occurred ({code}): {text}", response)
            if done >= attempts:
                if matched is None:
                    self._fail("Max attempts exceeded", response)
                # botocore's message names the acceptor that it checked last, which is the
                # last in the list.
                shown = status if state is not None else states[-1][0]
                self._fail(
                    "Max attempts exceeded. Previously accepted state: "
                    f"Matched expected HTTP status code: {shown}",
                    response,
                )
            time.sleep(delay)

    def _fail(self, reason, response):
        raise _WaiterError(name=self.name, reason=reason, last_response=response)


def _waiter(client, rule):
    kind = type(f"S3.Waiter.{rule[0]}", (Waiter,), {"__module__": "botocore.waiter"})
    return kind(rule[0], rule, getattr(client, rule[1]))


Waiter.wait.__qualname__ = "create_waiter_with_client.<locals>.wait"
Waiter.__module__ = "botocore.waiter"
