-- expect: permission-is-an-address.lua:4: permissions.http: 'https://example.org/feed' is not a hostname; write a name such as example.org or *.example.org, or {options.NAME}
return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "https://example.org/feed" } },
  fetch = function(ctx) end,
}
