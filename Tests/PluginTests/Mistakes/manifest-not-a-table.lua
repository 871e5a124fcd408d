-- expect: manifest-not-a-table.lua: the file returns a string; it must return a table: end a plugin file with return { name = ..., fetch = ... }, and a hook file with return { on_item = ... }
return "probe"
