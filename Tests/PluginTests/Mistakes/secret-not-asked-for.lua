-- expect: secret-not-asked-for.lua:10: pluginError: the manifest does not ask for the secret 'tokn'; it asks for token
-- expect: secret-not-asked-for.lua:10: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    return { { id = tostring(ctx:secret("tokn")) } }
  end,
}
