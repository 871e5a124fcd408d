-- expect: module-unknown.lua:2: there is no module 'htpp' (did you mean 'http'?); the modules are base64, csv, feed, files, hash, html, http, json, log, text, time, url, xml; put your own module beside this file, in a lib folder there or in a plugin folder, and write its name in quotes directly after require
local http = require "htpp"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) end,
}
