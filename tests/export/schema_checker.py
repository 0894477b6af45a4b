"""The part of JSON Schema (2020-12) that our schemas use, as a validator that says where data is wrong."""

TYPES = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
    "boolean": bool, "null": type(None),
}  # fmt: skip
KNOWN = {
    "$schema", "$defs", "$ref", "title", "type", "required", "properties", "additionalProperties",
    "items", "prefixItems", "minItems", "maxItems", "anyOf", "enum", "const",
}  # fmt: skip


def problems(data, schema, root=None, place="$"):
    """A list of texts; empty where the data is valid."""
    root = root or schema
    unknown = set(schema) - KNOWN
    assert not unknown, f"the checker does not know {unknown}"
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return problems(data, target, root, place)
    if "anyOf" in schema:
        tries = [problems(data, one, root, place) for one in schema["anyOf"]]
        return [] if any(not one for one in tries) else min(tries, key=len)
    if "const" in schema and data != schema["const"]:
        return [f"{place}: {data!r} is not {schema['const']!r}"]
    if "enum" in schema and data not in schema["enum"]:
        return [f"{place}: {data!r} is none of {schema['enum']}"]
    if "type" in schema and not is_of(data, schema["type"]):
        return [f"{place}: {type(data).__name__} is not {schema['type']}"]
    found = []
    if isinstance(data, dict):
        found += of_object(data, schema, root, place)
    if isinstance(data, list):
        found += of_array(data, schema, root, place)
    return found


def is_of(data, names):
    names = [names] if isinstance(names, str) else names
    if isinstance(data, bool):
        return "boolean" in names
    return any(isinstance(data, TYPES[name]) for name in names)


def of_object(data, schema, root, place):
    found = [
        f"{place}: `{key}` is missing" for key in schema.get("required", ()) if key not in data
    ]
    known = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    for key, value in data.items():
        if key in known:
            found += problems(value, known[key], root, f"{place}.{key}")
        elif more is False:
            found.append(f"{place}: `{key}` is not known")
        elif isinstance(more, dict):
            found += problems(value, more, root, f"{place}.{key}")
    return found


def of_array(data, schema, root, place):
    found = []
    if not schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", len(data)):
        found.append(f"{place}: {len(data)} items")
    first = schema.get("prefixItems", [])
    rules = [*first, *[schema.get("items", {})] * (len(data) - len(first))]
    for k, (value, rule) in enumerate(zip(data, rules, strict=False)):
        found += problems(value, rule, root, f"{place}[{k}]")
    return found
