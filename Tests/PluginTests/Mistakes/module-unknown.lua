-- expect: module-unknown.lua:2: there is no module 'htpp' (did you mean 'http'?); the modules are base64, csv, feed, files, hash, html, http, json, log, text, time, url, xml; put a module of your own beside the plugin, in its lib folder or in a plugin folder
local http = require "htpp"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) end,
}
