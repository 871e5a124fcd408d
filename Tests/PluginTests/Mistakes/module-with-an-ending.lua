-- expect: module-with-an-ending.lua:2: there is no module 'rss.lua': write require "rss"; the modules are base64, csv, feed, files, hash, html, http, json, log, text, time, url, xml and the files rss; put a module of your own beside the plugin, in its lib folder or in a plugin folder
local rss = require "rss.lua"
return { api = 1, name = "probe", version = "1.0.0", fetch = rss.fetch }
