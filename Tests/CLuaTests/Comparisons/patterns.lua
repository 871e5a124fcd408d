-- Random patterns on random subjects: find, match, gmatch, gsub.
local pieces = {
  "a", "b", "c", "ab", ".", "%a", "%d", "%s", "%w", "%x", "%p", "%u", "%l", "%c", "%g", "%z",
  "%A", "%D", "%S", "%W", "%.", "%%", "%-", "[abc]", "[^a]", "[a-c]", "[%a_]", "[^%s]", "[]a]",
  "[^]a]", "[a-]", "[%-x]", "[b-%a]", "[%]]", "[a%d-f]", "(", ")", "()", "(a)", "(.-)", "(.*)",
  "(%w+)", "(a*)", "%1", "%2", "%b()", "%bab", "%bxx", "%f[a]", "%f[^%w]", "%f[%z]", "$", "^",
  "-", "*", "+", "?", "\0", "é", " ", "_", "1", "[^%W%d]", "<a>", "</a>", "x=", ",",
}
local broken = { "%", "[", "[^", "[a", "[%", "%b", "%bx", "%f", "%fa", "%f[", "%0", "%3", "%9" }
local quantifiers = { "*", "+", "-", "?" }
local letters = { "a", "a", "a", "b", "b", "c", "(", ")", " ", "1", "_", "\0", ".", "é", "x", ",",
  "=", "<", ">", "/", "A", "\n", "%", "-", "]", "^", "$", "ab", "<a>", "</a>" }

local function random_pattern()
  local made = {}
  if random(8) == 1 then made[1] = "^" end
  for _ = 1, random(6) do
    made[#made + 1] = pick(pieces)
    if random(3) == 1 then made[#made + 1] = pick(quantifiers) end
  end
  if random(12) == 1 then made[#made + 1] = pick(broken) end
  if random(8) == 1 then made[#made + 1] = "$" end
  return stock.table.concat(made)
end

local function random_subject()
  local made = {}
  for i = 1, random(0, random(40)) do made[i] = pick(letters) end
  return stock.table.concat(made)
end

local templates = { "", "x", "<%0>", "%1", "%1%1", "%2", "%%", "%", "%x", "[%1|%0]", "\0", 7, 1.5 }
local tables = { {}, { a = "X", b = false, ["1"] = 5, [1] = "one" }, { a = {} }, { b = true } }
setmetatable(tables[1], { __index = function(_, key) return #stock.string.rep("k", 3) .. key end })
local function replacement()
  local kind = random(6)
  if kind == 1 then return pick(tables) end
  if kind == 2 then return function(...) return stock.table.concat({ "{", ..., "}" }) end end
  if kind == 3 then return function(a) if a == "a" then return nil end return false end end
  if kind == 4 then return function() return {} end end
  return pick(templates)
end

local function collect(library)
  return function(subject, pattern, init)
    local found = {}
    local count = 0
    for a, b, c in library.string.gmatch(subject, pattern, init) do
      count = count + 1
      found[#found + 1] = stock.string.format("%q,%q,%q", a, b, c)
      if count > 60 then break end
    end
    return stock.table.concat(found, ";")
  end
end

function compare_patterns(rounds)
  local stock_gmatch, our_gmatch = collect(stock), collect(ours)
  for _ = 1, rounds do
    local pattern, subject = random_pattern(), random_subject()
    local init = random(4) == 1 and random(-8, 12) or nil
    compare("find", stock.string.find, ours.string.find, subject, pattern, init, random(20) == 1)
    compare("match", stock.string.match, ours.string.match, subject, pattern, init)
    compare("gmatch", stock_gmatch, our_gmatch, subject, pattern, init)
    local limit = random(4) == 1 and random(-1, 4) or nil
    compare("gsub", stock.string.gsub, ours.string.gsub, subject, pattern, replacement(), limit)
  end
end

-- Patterns near the matcher's depth limit: the error is at the same place. Each item takes one level
-- and matches in only one way, so that Lua's own matcher ends.
function compare_depth(rounds)
  local ends = { "", "a", "a+", "ab", "(a)b", "()a", ")", "(", "(a*)b", "a*", "a-b", "a?", "%1",
    "$", "[ab]+", "a+()c", "(((a", "a-", ".-b", ".-(c)", ".*(c)", ".*()b" }
  for _ = 1, rounds do
    local captures, depth = random(0, 33), random(194, 203)
    local made, subject = {}, {}
    for i = 1, depth do
      made[i] = i <= captures and "()" or i % 2 == 0 and "a+" or "b+"
      subject[i] = i <= captures and "" or i % 2 == 0 and "a" or "b"
    end
    made[depth + 1], made[depth + 2] = pick(ends), pick(ends)
    subject[depth + 1] = pick { "", "a", "b", "ab", "aab", "bab", "c" }
    local pattern = stock.table.concat(made)
    compare("deep", stock.string.find, ours.string.find, stock.table.concat(subject), pattern)
  end
end

function compare_too_many_captures()
  for captures = 30, 34 do
    for _, tail in ipairs { "a", "x*(a)", "x-(a)", "x*()a", "(((((a" } do
      local pattern = stock.string.rep("()", captures) .. tail
      compare("find", stock.string.find, ours.string.find, "xxyx", pattern)
    end
  end
end

-- Searches longer than one chunk of a search.
function compare_chunks()
  for distance = (1 << 20) - 7, (1 << 20) + 1 do
    local subject = stock.string.rep("n", distance) .. "needle and more"
    for _, pattern in ipairs { "needle", "needl[e]", "n-eedle", ".-edle()", "e", "needles" } do
      compare("find", stock.string.find, ours.string.find, subject, pattern, distance - 30)
      compare("find", stock.string.find, ours.string.find, subject, pattern, -15)
    end
    compare("find", stock.string.find, ours.string.find, subject, "needle", 1, true)
    compare("find", stock.string.find, ours.string.find, subject, "needl[e]")
    compare("find", stock.string.find, ours.string.find, subject, "(.-)[d]le")
  end
end

-- Long subjects with the usual patterns, where the look-ahead skips most.
function compare_long(rounds)
  local usual = { "(%w+)=(%w+)", "<a>(.-)</a>", "%f[%w]%w+", "[^,]*", "(.-)%s*$", "^%s*(.-)%s*$",
    "%d+%.?%d*", ".*x", ".-x=", "%b<>", "(a+)(b+)", "[%w_]+", "a.-b.-c", "()x()", "%-%-.-\n",
    "(%a-)1", "%s+", "\0", "<(%w+)>.-</%1>", "(.)%1", "[^%s]+x", "é+", "a?b?c?,", "(((a)))b",
    "[ab]*[bc]+[%w_]-[^x]?[1_]*[(),]", "([abc]-)([1_]-)([^,]-)([,x]-)([=<]-)([>/])" }
  for _ = 1, rounds do
    local made = {}
    for i = 1, random(100, 400) do made[i] = pick(letters) end
    local subject = stock.table.concat(made)
    local pattern = pick(usual)
    compare("find", stock.string.find, ours.string.find, subject, pattern, random(-50, 50))
    compare("match", stock.string.match, ours.string.match, subject, pattern)
    compare("gsub", stock.string.gsub, ours.string.gsub, subject, pattern, replacement())
    local plain = pick(letters) .. pick(letters) .. pick { "", pick(letters) }
    compare("find", stock.string.find, ours.string.find, subject, plain, random(-50, 50), true)
  end
end
