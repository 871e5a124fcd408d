-- expect: module-with-an-ending.lua:2: there is no module 'rss.lua': write require "rss"; the modules are base64, csv, feed, files, hash, html, http, json, log, text, time, url, xml and the files rss; put your own module beside this file, in a lib folder there or in a plugin folder, and write its name in quotes directly after require
local rss = require "rss.lua"
return { api = 1, name = "probe", version = "1.0.0", fetch = rss.fetch }
