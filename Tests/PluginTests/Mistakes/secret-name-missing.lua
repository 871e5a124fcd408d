-- expect: secret-name-missing.lua:10: pluginError: ctx:secret needs the name of a secret, got nil
-- expect: secret-name-missing.lua:10: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    return { { id = tostring(ctx:secret()) } }
  end,
}
