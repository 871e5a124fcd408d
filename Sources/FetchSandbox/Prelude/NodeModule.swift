extension PreludeModule {
  /// `require "xml"`: `xml.parse(text or response)` returns the root node of a document.
  package static let xml = PreludeModule("xml", nodes + xmlSurface)

  /// `require "html"`: `html.parse(text or response)` returns the root node of a page. `html.text`
  /// and `html.unescape` do not need a parsed page.
  package static let html = PreludeModule("html", nodes + htmlSurface)

  /// Node objects. An XPath query returns elements as nodes, attributes and texts as strings, and
  /// numbers and Booleans unchanged.
  private static let nodes = """
    local library = ...
    local methods = {}
    local node = { __index = methods, __name = "node" }
    function node.__tostring(self) return "<" .. self.name .. ">" end
    function node.__eq(a, b) return a.document == b.document and a.number == b.number end

    local function wrap(document, answer)
      if type(answer) ~= "table" then return answer end
      return setmetatable({ document = document, number = answer[1], name = answer[2] }, node)
    end

    local function wrap_all(document, answers)
      if type(answers) ~= "table" then return answers end
      for i = 1, #answers do answers[i] = wrap(document, answers[i]) end
      return answers
    end

    local function check(self, name)
      if getmetatable(self) ~= node then
        error("call " .. name .. " on a node, with a colon: node:" .. name .. "(...)", 3)
      end
    end

    local function check_text(text, name)
      if type(text) ~= "string" then
        local got = text == nil and "nil" or type(text)
        error("bad argument #1 to '" .. name .. "' (string expected, got " .. got .. ")", 3)
      end
    end

    function methods:find(path, namespaces)
      check(self, "find")
      check_text(path, "find")
      return wrap(self.document, library._find(self.document, self.number, path, false, namespaces))
    end

    function methods:select(path, namespaces)
      check(self, "select")
      check_text(path, "select")
      return wrap_all(
        self.document, library._select(self.document, self.number, path, false, namespaces))
    end

    function methods:css(selector)
      check(self, "css")
      check_text(selector, "css")
      return wrap_all(self.document, library._select(self.document, self.number, selector, true))
    end

    function methods:css_first(selector)
      check(self, "css_first")
      check_text(selector, "css_first")
      return wrap(self.document, library._find(self.document, self.number, selector, true))
    end

    function methods:text()
      check(self, "text")
      return library._text(self.document, self.number)
    end

    function methods:attr(name)
      check(self, "attr")
      check_text(name, "attr")
      return library._attribute(self.document, self.number, name)
    end

    function methods:attrs()
      check(self, "attrs")
      return library._attributes(self.document, self.number)
    end

    function methods:children()
      check(self, "children")
      return wrap_all(self.document, library._children(self.document, self.number))
    end

    function methods:parent()
      check(self, "parent")
      return wrap(self.document, library._parent(self.document, self.number))
    end

    function methods:namespace()
      check(self, "namespace")
      return library._namespace(self.document, self.number)
    end

    function methods:xml()
      check(self, "xml")
      return library._markup(self.document, self.number)
    end

    local function parse(...)
      local document, number, name = library._parse(...)
      if not document then return nil, number end
      return wrap(document, { number, name })
    end

    """

  private static let xmlSurface = """
    return { parse = parse }
    """

  private static let htmlSurface = """
    methods.html = methods.xml
    return { parse = parse, text = library.text, unescape = library.unescape }
    """
}
