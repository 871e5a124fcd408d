-- expect: permission-names-no-option.lua:5: permissions.http: {options.ulr} is not an option of this file (did you mean 'url'?)
return {
  api = 1, name = "probe", version = "1.0.0",
  options = { url = { type = "url" } },
  permissions = { http = { "{options.ulr}" } },
  fetch = function(ctx) end,
}
