# boto3's resources (boto3/resources): one engine over the table `_RESOURCES`.

import copy


class ResourceMeta:
    def __init__(self, service_name, identifiers=None, client=None, data=None, resource_model=None):
        self.service_name = service_name
        self.identifiers = [] if identifiers is None else identifiers
        self.client = client
        self.data = data
        self.resource_model = resource_model

    def __repr__(self):
        return f"ResourceMeta('{self.service_name}', identifiers={self.identifiers})"

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def copy(self):
        return ResourceMeta(**self.__dict__)


class ServiceResource:
    meta = None

    def __init__(self, *args, **kwargs):
        self.meta = self.meta.copy()
        client = kwargs.pop("client", None)
        self.meta.client = _boto3_client("s3") if client is None else client
        names = self.meta.identifiers
        for at, value in enumerate(args):
            setattr(self, "_" + names[at], value)
        for name, value in kwargs.items():
            if name not in names:
                raise ValueError(f"Unknown keyword argument: {name}")
            setattr(self, "_" + name, value)
        for name in names:
            if getattr(self, name) is None:
                raise ValueError(f"Required parameter {name} not set")

    def __repr__(self):
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.meta.identifiers)
        return f"{type(self).__name__}({shown})"

    def __eq__(self, other):
        if type(other).__name__ != type(self).__name__:
            return False
        return all(getattr(self, name) == getattr(other, name) for name in self.meta.identifiers)

    def __hash__(self):
        return hash((type(self).__name__, *(getattr(self, name) for name in self.meta.identifiers)))


def _loaded(resource, text="{} has no load method"):
    """The attributes of a resource, asked for if they were not yet."""
    if resource.meta.data is None:
        if not hasattr(resource, "load"):
            raise ResourceLoadException(text.format(type(resource).__name__))
        resource.load()
    return resource.meta.data


def _source_value(resource, source, what):
    if source == "identifier":
        return getattr(resource, what)
    if source == "data":
        return _jmespath_search(what, _loaded(resource, "{} has no load method!"))
    return what


def _set_at(params, target, value, index):
    """Sets the parameter `target`, like `Delete.Objects[*].Key`: `[*]` is the item `index`
    of a list, `[]` appends an item."""
    *path, last = target.split(".")
    for part in path:
        name, bracket, place = part.partition("[")
        if not bracket:
            params = params.setdefault(name, {})
            continue
        items = params.setdefault(name, [])
        at = len(items) if place == "]" else index if place == "*]" else int(place[:-1])
        items.extend({} for _ in range(at + 1 - len(items)))
        params = items[at]
    params[last] = value


def _request(resource, sources, params=None, index=None):
    """The parameters of a request that a resource itself knows."""
    params = {} if params is None else params
    for target, source, what in sources:
        if source != "input":
            _set_at(params, target, _source_value(resource, source, what), index)
    return params


def _made(parent, made, params, response):
    """The resource or the resources that an answer describes."""
    kind, sources, path, empty = made
    found = _jmespath_search(path, response) if path else None
    identifiers = {}
    for name, source, what in sources:
        if source == "response":
            identifiers[name] = _jmespath_search(what, response)
        elif source == "requestParameter":
            identifiers[name] = _jmespath_search(what, params)
        elif source != "input":
            identifiers[name] = _source_value(parent, source, what)
    several = [each for each in identifiers.values() if isinstance(each, list)]
    if several:
        return [
            _resource(kind, parent, {
                name: value.pop(0) if isinstance(value, list) else value
                for name, value in identifiers.items()
            }, found[at] if found else None)
            for at in range(len(several[0]))
        ]
    if all(value is not None for value in identifiers.values()):
        return _resource(kind, parent, identifiers, found)
    return copy.copy(empty)


def _resource(kind, parent, identifiers, data):
    resource = _RESOURCE_CLASSES[kind](client=parent.meta.client, **identifiers)
    if data is not None:
        resource.meta.data = data
    return resource


def _answer(parent, action, params, response):
    _, _, made, path = action
    if made is not None:
        return _made(parent, made, params, response)
    # "@" is the whole answer.
    return response if path in (None, "@", "$") else _jmespath_search(path, response)


def _act(resource, action, args, kwargs):
    params = _request(resource, action[1])
    params.update(kwargs)
    response = getattr(resource.meta.client, action[0])(*args, **params)
    return _answer(resource, action, params, response)


def _action_method(action):
    def do_action(self, *args, **kwargs):
        response = _act(self, action, args, kwargs)
        if hasattr(self, "load"):
            # The attributes may have changed.
            self.meta.data = None
        return response

    return do_action


def _load_method(action):
    def do_action(self, *args, **kwargs):
        self.meta.data = _act(self, action, args, kwargs)

    return do_action


def _waiter_method(waiter, sources):
    def do_waiter(self, *args, **kwargs):
        params = _request(self, sources)
        params.update(kwargs)
        self.meta.client.get_waiter(waiter).wait(**params)

    return do_waiter


def _subresource_method(kind, sources):
    def create_resource(self, *args, **kwargs):
        known = [_source_value(self, source, what) for _, source, what in sources if source != "input"]
        return _RESOURCE_CLASSES[kind](*known, *args, client=self.meta.client, **kwargs)

    return create_resource


def _attribute(member):
    return property(lambda self: _loaded(self).get(member))


def _reference(made):
    def get_reference(self):
        if self.meta.data is None and hasattr(self, "load") and any(each[1] == "data" for each in made[1]):
            self.load()
        return _made(self, made, {}, self.meta.data)

    return property(get_reference)


def _identifier(name):
    return property(lambda self: getattr(self, "_" + name, None))
