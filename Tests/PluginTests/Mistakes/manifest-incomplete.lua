-- expect: manifest-incomplete.lua: api: must be the version of the plugin interface; write api = 1
-- expect: manifest-incomplete.lua: version: is missing; write version = "1.0.0"
-- expect: manifest-incomplete.lua:8: name: must be up to 64 lower-case ASCII letters, digits, '-', '_' and '.'
-- expect: manifest-incomplete.lua:9: interval: must be a string such as "15m", "adaptive" or "never"
-- expect: manifest-incomplete.lua: fetch: is missing; write fetch = function(ctx) … end
-- expect: manifest-incomplete.lua:10: fecth: unknown function (did you mean 'fetch'?)
return {
  name = "Probe One",
  interval = 15,
  fecth = function(ctx) end,
}
