-- Random calls of the table functions, on plain tables and on tables with metamethods.
local function random_list()
  local list = {}
  for i = 1, random(0, 12) do list[i] = pick { i, "s" .. i, 1.5, random(100) } end
  if random(10) == 1 then list[random(12)] = nil end
  if random(20) == 1 then list[random(12)] = pick { true, {} } end
  return list
end

local function show(list)
  local shown = {}
  for i = -2, 30 do
    local value = rawget(list, i)
    shown[#shown + 1] = type(value) == "table" and "table" or tostring(value)
  end
  return stock.table.concat(shown, ",")
end

local function copy(list)
  local made = {}
  for key, value in pairs(list) do made[key] = value end
  return made
end

-- A proxy that records its accesses, so that their order is compared as well.
local function proxy(list, length)
  local seen = {}
  return setmetatable({}, {
    __index = function(_, key) seen[#seen + 1] = "r" .. tostring(key) return list[key] end,
    __newindex = function(_, key, value)
      seen[#seen + 1] = "w" .. tostring(key)
      list[key] = value
    end,
    __len = length ~= false and function() return length or #list end or nil,
  }), seen
end

-- Runs the function on two copies and compares results, the tables and the order of accesses.
local function compare_on(name, list, is_proxy, ...)
  local first, second = copy(list), copy(list)
  local first_argument, second_argument, first_seen, second_seen = first, second, {}, {}
  if is_proxy then
    local length = pick { false, 3, "2", "x", 1.5, nil }
    first_argument, first_seen = proxy(first, length)
    second_argument, second_seen = proxy(second, length)
  end
  local function call(f, list)
    return function(...)
      local results = stock.table.pack(f(list, ...))
      for i = 1, results.n do
        if type(results[i]) == "table" then results[i] = "table" end
      end
      return stock.table.unpack(results, 1, results.n)
    end
  end
  compare("table." .. name, call(stock.table[name], first_argument),
    call(ours.table[name], second_argument), ...)
  expect(show(first) == show(second), "tables differ after table." .. name)
  expect(stock.table.concat(first_seen, " ") == stock.table.concat(second_seen, " "),
    "accesses differ in table." .. name)
end

local places = { 0, 1, 2, 3, 5, -1, 12, 13, 14, 30, math.maxinteger, math.mininteger,
  math.maxinteger - 1, 1.5, "2", "x" }
local function place()
  if random(2) == 1 then return random(-1, 14) end
  return pick(places)
end

function compare_tables(rounds)
  for _ = 1, rounds do
    local list, is_proxy = random_list(), random(3) == 1
    compare_on("concat", list, is_proxy, pick { "", ",", ", ", nil, 5 })
    compare_on("concat", list, is_proxy, ",", random(-1, 13), random(-1, 13))
    compare_on("concat", list, is_proxy, ",", math.maxinteger, math.maxinteger)
    compare_on("insert", list, is_proxy, "new")
    compare_on("insert", list, is_proxy, place(), "new")
    compare_on("insert", list, is_proxy)
    compare_on("insert", list, is_proxy, 1, 2, 3)
    compare_on("remove", list, is_proxy)
    compare_on("remove", list, is_proxy, place())
    local first = random(-2, 6)
    compare_on("move", list, is_proxy, first, first + random(-1, 10), random(-2, 15))
    compare_on("move", list, is_proxy, first, first + random(-1, 10), random(-2, 15), {})
    compare_on("move", list, is_proxy, pick { math.mininteger, 0 }, math.maxinteger, 3)
    compare_on("move", list, is_proxy, 1, 3, math.maxinteger - 1)
    compare_on("unpack", list, is_proxy, random(-2, 3), random(-2, 14))
    compare_on("unpack", list, is_proxy)
    compare_on("unpack", list, is_proxy, 1, math.maxinteger)
    compare_on("pack", list, is_proxy, pick { nil, 1, "x" }, nil)
    for _, name in ipairs { "concat", "insert", "remove", "move", "unpack", "sort" } do
      compare(name, stock.table[name], ours.table[name], pick { 1, "text", false, print, nil })
    end
  end
end

-- Orders with ties, total orders, and orders that contradict themselves: the same comparisons are
-- made in the same order, so results and errors agree for all lists that Lua sorts without
-- falling back to a random pivot.
function compare_sort(rounds)
  local orders = {
    function(a, b) return a < b end,
    function(a, b) return a > b end,
    function(a, b) return a % 7 < b % 7 end,
    function(a, b) return a <= b end,
    function() return true end,
    function() return false end,
    function(a, b) return (a * 7 + b * 13) % 5 < 2 end,
  }
  for _ = 1, rounds do
    local list = {}
    for i = 1, random(0, random(100)) do list[i] = random(random(200)) end
    if random(20) == 1 then list[#list + 1] = pick { "text", {} } end
    local first, second = copy(list), copy(list)
    local order = random(3) > 1 and pick(orders) or nil
    compare("sort", function() stock.table.sort(first, order) return show(first) end,
      function() ours.table.sort(second, order) return show(second) end)
  end
end

-- A comparator that chooses the elements' values during the comparisons, so that each pivot is about
-- the least of its part (McIlroy, A Killer Adversary for Quicksort).
local function killer(count)
  local open, solid, candidate, values = count + 1, 0, nil, {}
  for i = 1, count do values[i] = open end
  return function(a, b)
    if values[a] == open and values[b] == open then
      solid = solid + 1
      values[a == candidate and a or b] = solid
    end
    if values[a] == open then candidate = a elseif values[b] == open then candidate = b end
    return values[a] < values[b]
  end, values
end

function check_sort_against_killer()
  local list, count, comparisons = {}, 5000, 0
  local order, values = killer(count)
  for i = 1, count do list[i] = i end
  ours.table.sort(list, function(a, b) comparisons = comparisons + 1 return order(a, b) end)
  for i = 2, count do expect(values[list[i - 1]] <= values[list[i]], "not sorted") end
  expect(comparisons < 6 * count * 13, "too many comparisons: " .. comparisons)
end

-- Lists that are often bad for quicksort.
function check_sort_of_large_lists()
  for _, make in ipairs {
    function(i) return i end,
    function(i) return -i end,
    function(i) return i % 2 end,
    function() return 1 end,
    function(i) return i % 100 * (i % 3) end,
    function(i) return (i < 10000 and i or 20000 - i) end,
    function() return random(1000000) end,
  } do
    local list, count = {}, 20000
    for i = 1, count do list[i] = make(i) end
    local sum, comparisons = 0, 0
    for i = 1, count do sum = sum + list[i] end
    ours.table.sort(list, function(a, b) comparisons = comparisons + 1 return a < b end)
    for i = 1, count do sum = sum - list[i] end
    expect(#list == count and sum == 0, "elements lost by sort")
    for i = 2, count do expect(list[i - 1] <= list[i], "not sorted") end
    expect(comparisons < 4 * count * 15, "too many comparisons: " .. comparisons)
  end
end
