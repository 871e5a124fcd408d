-- expect: secret-with-a-string-function.lua:10: pluginError: bad argument #1 to 'sub' (string expected, got secret)
-- expect: secret-with-a-string-function.lua:10: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    return { { id = string.sub(ctx:secret("token"), 1, 4) } }
  end,
}
