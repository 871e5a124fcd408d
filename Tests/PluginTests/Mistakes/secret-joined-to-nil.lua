-- expect: secret-joined-to-nil.lua:10: pluginError: nil cannot be joined to a secret
-- expect: secret-joined-to-nil.lua:10: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    return { { id = tostring(ctx:secret("token") .. nil) } }
  end,
}
