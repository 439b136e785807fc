def violations(values, data):
    packages = {f"{p['name']} {p['version']}": p for p in data["packages"]}
    installed = [packages[name] for name, is_in in values.items() if is_in]
    versions = {}
    for p in installed:
        versions.setdefault(p["name"], []).append(p["version"])
    if "shop" not in versions:
        yield "shop is not installed"
    for name, several in versions.items():
        if len(several) > 1:
            yield f"one version of each package: {name} in {several}"
    for p in installed:
        for name, wanted in p["needs"].items():
            if not set(wanted) & set(versions.get(name, [])):
                yield f"{p['name']} {p['version']} needs {name} in {wanted}: {versions.get(name, 'none')}"
        for name, version in p.get("conflicts", []):
            if version in versions.get(name, []):
                yield f"{p['name']} {p['version']} conflicts with {name} {version}"
