-- expect: module-name-computed.lua:3: there is no module 'web-page'; the modules are base64, csv, feed, files, hash, html, http, json, log, text, time, url, xml; put your own module beside this file, in a lib folder there or in a plugin folder, and write its name in quotes directly after require
local kind = "web"
local page = require(kind .. "-page")
return { api = 1, name = "probe", version = "1.0.0", fetch = page.fetch }
