-- expect: manifest-not-a-table.lua: the file returns a string; a plugin returns a table: return { name = ..., fetch = function(ctx) ... end }
return "probe"
