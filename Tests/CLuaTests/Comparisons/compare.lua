-- The common part of the comparisons. The globals are `stock` and `ours` (the two sets of libraries)
-- and `seed`.
function random(...) return math.random(...) end
function pick(list, count) return list[random(count or #list)] end
math.randomseed(seed)

function expect(condition, message)
  if not condition then error(message .. " (seed " .. seed .. ")", 2) end
end

local function show(values)
  local shown = {}
  for i = 1, values.n do
    local value = values[i]
    shown[i] = type(value) == "string" and stock.string.format("%q", value) or tostring(value)
  end
  return stock.table.concat(shown, ", ")
end

-- Both are called from this place, so that Lua finds the same name for them in messages.
local function run(f, ...)
  local results = stock.table.pack(f(...))
  return results
end

local function outcome(f, ...)
  local ok, results = pcall(run, f, ...)
  if ok then return ok, show(results) end
  local message = stock.string.gsub(tostring(results), "^[^:]*:%d+: ", "") -- wrappers' lines differ
  -- Lua 5.4.4 blames remove's argument 1 for its argument 2
  return ok, (stock.string.gsub(message, "#%d( to 'f' %(position out of bounds%))", "%1"))
end

comparisons = 0
function compare(name, stock_function, our_function, ...)
  comparisons = comparisons + 1
  local stock_ok, expected = outcome(stock_function, ...)
  local ok, result = outcome(our_function, ...)
  if stock_ok == ok and expected == result then return end
  error(stock.string.format("%s(%s): %s instead of %s (seed %d)", name,
    show(stock.table.pack(...)), result, expected, seed), 0)
end
