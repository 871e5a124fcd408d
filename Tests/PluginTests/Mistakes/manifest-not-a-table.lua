-- expect: manifest-not-a-table.lua: the file returns a string; a plugin must return a table: return { name = ..., fetch = function(ctx) ... end }
return "probe"
