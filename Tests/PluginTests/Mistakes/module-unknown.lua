-- expect: module-unknown.lua:2: there is no module 'htpp' (did you mean 'http'?); there are base64, csv, feed, files, hash, html, http, json, log, text, time, url, xml; other files are found beside the plugin, in its lib folder and in the plugin folders
local http = require "htpp"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) end,
}
