# The collections of boto3's resources, and the classes of the resources.


class ResourceCollection:
    """Resources that are asked for as a program iterates over them."""

    def __init__(self, model, parent, **kwargs):
        self._model = model
        self._parent = parent
        self._params = copy.deepcopy(kwargs)

    def __repr__(self):
        return f"{type(self).__name__}({self._parent}, s3.{self._model[2][0]})"

    def __iter__(self):
        limit = self._params.get("limit")
        count = 0
        for page in self.pages():
            for item in page:
                yield item
                count += 1
                if limit is not None and count >= limit:
                    return

    def _clone(self, **kwargs):
        params = copy.deepcopy(self._params)
        _merge_params(params, kwargs)
        return type(self)(self._model, self._parent, **params)

    def pages(self):
        operation, sources, made, _ = self._model
        client = self._parent.meta.client
        given = dict(self._params)
        limit, size = given.pop("limit", None), given.pop("page_size", None)
        params = _request(self._parent, sources)
        _merge_params(params, given)
        if client.can_paginate(operation):
            config = {"MaxItems": limit, "PageSize": size}
            pages = client.get_paginator(operation).paginate(PaginationConfig=config, **params)
        else:
            pages = [getattr(client, operation)(**params)]
        count = 0
        for page in pages:
            items = []
            for item in _made(self._parent, made, params, page):
                items.append(item)
                count += 1
                if limit is not None and count >= limit:
                    break
            yield items
            if limit is not None and count >= limit:
                return

    def all(self):
        return self._clone()

    def filter(self, **kwargs):
        return self._clone(**kwargs)

    def limit(self, count):
        return self._clone(limit=count)

    def page_size(self, count):
        return self._clone(page_size=count)


class CollectionManager:
    """A collection as an attribute of a resource: it makes collections to iterate over."""

    def __init__(self, model, parent):
        self._model = model
        self._parent = parent

    __repr__ = ResourceCollection.__repr__

    def iterator(self, **kwargs):
        return self._collection_cls(self._model, self._parent, **kwargs)

    def all(self):
        return self.iterator()

    def filter(self, **kwargs):
        return self.iterator(**kwargs)

    def limit(self, count):
        return self.iterator(limit=count)

    def page_size(self, count):
        return self.iterator(page_size=count)

    def pages(self):
        return self.iterator().pages()


def _merge_params(params, others):
    """Adds parameters to parameters: dicts and lists grow, other values are replaced."""
    for name, value in others.items():
        known = params.get(name)
        if isinstance(known, dict) and isinstance(value, dict):
            _merge_params(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            known.extend(value)
        else:
            params[name] = value


def _batch_method(action):
    """An action on all resources of a collection, with one request for each page."""
    def batch_action(self, *args, **kwargs):
        responses = []
        for page in self.pages():
            params, client = {}, None
            for index, resource in enumerate(page):
                client = resource.meta.client
                _request(resource, action[1], params, index)
            if not params:
                break
            params.update(kwargs)
            response = getattr(client, action[0])(*args, **params)
            responses.append(_answer(self, action, params, response))
        return responses

    return batch_action


def _named(function, name):
    function.__name__ = name
    function.__qualname__ = f"ResourceFactory.{name}"
    return function


def _collection_property(owner, name, model):
    batches = {each: _named(_batch_method(action), each) for each, action in model[3].items()}
    batches["__module__"] = "boto3.resources.collection"
    title = f"s3.{owner}.{name}Collection"
    collection = type(title, (ResourceCollection,), batches)
    manager = type(title + "Manager", (CollectionManager,), {**batches, "_collection_cls": collection})
    return property(lambda self: manager(model, self))


def _resource_class(kind, table):
    names = [name for name, _ in table.get("identifiers", ())]
    members = {"__module__": "boto3.resources.factory", "meta": ResourceMeta("s3", identifiers=names)}
    for name, member in table.get("attributes", ()):
        members[name] = _attribute(member)
    for name, alias in table.get("identifiers", ()):
        members[name] = _identifier(name)
        if alias:
            members[alias] = _identifier(name)
    if "load" in table:
        members["load"] = _named(_load_method(table["load"]), "load")
        members["reload"] = _named(_load_method(table["load"]), "reload")
    for name, action in table.get("actions", {}).items():
        members[name] = _named(_action_method(action), name)
    for name, waiter in table.get("waiters", {}).items():
        members[name] = _named(_waiter_method(*waiter), name)
    subresources = table.get("subresources", {})
    for name, subresource in subresources.items():
        members[name] = _named(_subresource_method(*subresource), name)
    for name, made in table.get("references", {}).items():
        members[name] = _reference(made)
    for name, model in table.get("collections", {}).items():
        members[name] = _collection_property(kind, name, model)
    members["get_available_subresources"] = lambda self: sorted(subresources)
    # Last, because boto3's own methods come before those of the table.
    members.update(_RESOURCE_METHODS.get(kind, {}))
    return type(f"s3.{kind}", (ServiceResource,), members)
