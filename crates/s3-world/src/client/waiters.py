# Waiters (botocore/waiter.py). Waiting advances the clock of the sandbox and takes no
# time.

import time


class AcceptorConfig:
    def __init__(self, expected, state):
        self.matcher = "status"
        self.argument = None
        self.expected = expected
        self.state = state

    @property
    def explanation(self):
        return f"Matched expected HTTP status code: {self.expected}"


class SingleWaiterConfig:
    """What a waiter waits for, and how long."""

    def __init__(self, rule):
        _, operation, self.delay, self.max_attempts, states = rule
        self.description = ""
        self.operation = _OPERATIONS[operation][0]
        self.acceptors = [AcceptorConfig(*state) for state in states]


class Waiter:
    def __init__(self, name, config, operation_method):
        self.name = name
        self.config = config
        self._operation_method = operation_method

    def wait(self, **kwargs):
        acceptors = self.config.acceptors
        config = kwargs.pop("WaiterConfig", {})
        delay = config.get("Delay", self.config.delay)
        attempts = config.get("MaxAttempts", self.config.max_attempts)
        done = 0
        matched = None
        while True:
            try:
                response = self._operation_method(**kwargs)
            except ClientError as error:
                response = error.response
            done += 1
            status = response["ResponseMetadata"]["HTTPStatusCode"]
            state = next((each.state for each in acceptors if each.expected == status), None)
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
                shown = status if state is not None else acceptors[-1].expected
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
    return kind(rule[0], SingleWaiterConfig(rule), getattr(client, rule[1]))


Waiter.wait.__qualname__ = "create_waiter_with_client.<locals>.wait"
for _class in (Waiter, SingleWaiterConfig, AcceptorConfig):
    _class.__module__ = "botocore.waiter"
