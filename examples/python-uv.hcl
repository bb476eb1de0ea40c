# uv or pip in a project: the virtual environment and the caches are written,
# packages come through the proxy.
version = 1
name    = "python"
extends = ["workspace-proxy"]

filesystem {
  allow "caches" {
    paths      = ["${user_cache}/uv", "${user_cache}/pip", "~/.local/share/uv"]
    access     = "write"
    on_missing = "create"
  }
}

network {
  allow = ["pypi.org:443", "files.pythonhosted.org:443"]
}

env {
  set = { PIP_DISABLE_PIP_VERSION_CHECK = "1", PYTHONDONTWRITEBYTECODE = "1" }
}
