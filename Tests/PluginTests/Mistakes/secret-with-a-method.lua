-- expect: secret-with-a-method.lua:10: pluginError: a secret can only be used in the options of http and ctx:transfer: in headers, query, form, json, body, bearer and auth, and in the path or query of a URL
-- expect: secret-with-a-method.lua:10: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    return { { id = ctx:secret("token"):upper() } }
  end,
}
