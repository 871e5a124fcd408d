package import FetchValues
package import Foundation
import Glibc

/// A width of the window in CSS pixels, and whether the reader prefers dark colours.
package struct PageLook: Sendable {
  package var width: Int
  package var isDark = false

  /// A usual window, two telephones, and both kinds of colours.
  package static let all = [
    PageLook(width: 1280), PageLook(width: 390), PageLook(width: 320),
    PageLook(width: 390, isDark: true), PageLook(width: 1280, isDark: true),
  ]
}

/// A real Chromium, driven over W3C WebDriver (JSON over HTTP), with a profile of its own.
package final class WebDriver {
  package struct Failed: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  private static let driver = "/usr/bin/chromedriver"
  private static let element = "element-6066-11e4-a52e-4f735466cecf"

  /// Whether chromedriver is installed, which is in Debian's package chromium-driver.
  package static let isInstalled = FileManager.default.isExecutableFile(atPath: driver)

  private let process: Process
  private let port: UInt16
  private let session: String

  /// - Parameters:
  ///   - width: the width of the window in CSS pixels.
  ///   - isDark: whether the browser prefers dark colours.
  ///   - runsScripts: whether pages may run scripts.
  package init(width: Int = 1280, isDark: Bool = false, runsScripts: Bool = true) throws {
    var process = Process()
    port = try LoopbackSocket.start { port in
      process = Process()
      process.executableURL = URL(filePath: Self.driver)
      process.arguments = ["--port=\(port)", "--log-level=OFF"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      // Another program may have taken the port. Then the driver ends, and the next port is tried.
      let driver = process.processIdentifier
      if let socket = LoopbackSocket.connected(to: port, while: { Self.isRunning(driver) }) {
        close(socket)
        if let status = try? Self.call(port, "GET", "/status", nil), status["ready"] == true,
          Self.isRunning(driver)
        {
          return
        }
      }
      kill(driver, SIGKILL)
      throw Failed(description: "chromedriver does not listen")
    }
    self.process = process
    let settings: Value = [
      "capabilities": [
        "alwaysMatch": [
          "goog:chromeOptions": [
            "args": .array(
              [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--window-size=\(width),1000", "--hide-scrollbars",
                "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)"
                  + (runsScripts ? "" : ",scriptEnabled=false"),
              ].map(Value.string))
          ],
          "goog:loggingPrefs": ["browser": "ALL"],
          // The usual limit for scripts, 30 seconds, is too short for a busy machine.
          "timeouts": ["script": 300_000, "pageLoad": 300_000],
        ]
      ]
    ]
    let answer = try Self.call(port, "POST", "/session", settings)
    guard let session = answer["sessionId"]?.stringValue else {
      process.terminate()
      throw Failed(description: "no session: \(answer)")
    }
    self.session = session
    try resize(to: width)
  }

  deinit {
    _ = try? Self.call(port, "DELETE", "/session/\(session)", nil)
    // The browser has ended with its session. The driver may have been started by a thread that
    // blocks SIGTERM, so the driver gets SIGKILL. `waitUntilExit` would need the run loop of the
    // thread that started the process.
    kill(process.processIdentifier, SIGKILL)
  }

  /// Whether a child process of this process has not ended.
  private static func isRunning(_ child: pid_t) -> Bool {
    var ended = siginfo_t()
    let code = waitid(P_PID, id_t(child), &ended, WEXITED | WNOHANG | WNOWAIT)
    // Without an ended process, waitid sets no signal. It fails if the end was reaped already.
    return code == 0 && ended.si_signo == 0
  }

  // MARK: Commands

  /// Shows the page as in a window of the given width, in CSS pixels.
  private func resize(to width: Int) throws {
    // A window may not be narrower than 500 pixels, but a simulated device may.
    try command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(Int64(width)), "height": 1000, "deviceScaleFactor": 1,
        "mobile": .bool(width < 500),
      ])
  }

  /// Shows the present page in another look, without loading it again.
  package func show(_ look: PageLook) throws {
    try resize(to: look.width)
    let scheme: Value = ["name": "prefers-color-scheme", "value": look.isDark ? "dark" : "light"]
    // Otherwise the colours would change gradually.
    let motion: Value = ["name": "prefers-reduced-motion", "value": "reduce"]
    try command("Emulation.setEmulatedMedia", ["features": [scheme, motion]])
  }

  package func open(_ address: String) throws { try post("/url", ["url": .string(address)]) }

  /// Returns the address of the page.
  package func address() throws -> String { try get("/url").stringValue ?? "" }

  package func title() throws -> String { try get("/title").stringValue ?? "" }

  /// Returns the visible text of the first element that a CSS selector finds.
  package func text(_ selector: String) throws -> String {
    try get("/element/\(try find(selector))/text").stringValue ?? ""
  }

  /// Clicks the first element that a CSS selector finds.
  package func click(_ selector: String) throws {
    try post("/element/\(try find(selector))/click", [:])
  }

  /// Clicks a link or a button, and waits until the browser has left the page.
  package func follow(_ selector: String) throws {
    let page = try find("html")
    try click(selector)
    // The driver reports an element of an earlier page as stale.
    while (try? get("/element/\(page)/name")) != nil { sched_yield() }
  }

  /// Types text into the element that has the focus.
  package func type(_ text: String) throws {
    let keys = text.flatMap { key -> [Value] in
      [
        ["type": "keyDown", "value": .string(String(key))],
        ["type": "keyUp", "value": .string(String(key))],
      ]
    }
    try post("/actions", ["actions": [["type": "key", "id": "keys", "actions": .array(keys)]]])
  }

  /// Presses a key without a character, which WebDriver (17.4.2) names by a code point.
  package func press(_ key: Key) throws { try type(key.rawValue) }

  /// The keys of `press`.
  package enum Key: String, Sendable {
    case tab = "\u{E004}"
    case enter = "\u{E007}"
  }

  /// Presses Tab until the element with the focus has the given text or label. Throws after 300
  /// presses.
  package func tab(to label: String) throws {
    for _ in 0..<300 {
      try press(.tab)
      let focused = try run(
        """
        const e = document.activeElement;
        return e.getAttribute('aria-label') || e.textContent.trim();
        """)
      if focused.stringValue == label { return }
    }
    throw Failed(description: "Tab reaches no '\(label)'")
  }

  /// Presses keys that lead to another page, and waits until the browser has left the present page.
  package func leave(by keys: String) throws {
    let page = try find("html")
    try type(keys)
    while (try? get("/element/\(page)/name")) != nil { sched_yield() }
  }

  /// Runs a script as the body of a function, and returns the function's result.
  package func run(_ script: String) throws -> Value {
    try post("/execute/sync", ["script": .string(script), "args": []])
  }

  /// Runs a script that passes its result to its last argument, which is a function. Returns this
  /// result.
  package func runAsync(_ script: String) throws -> Value {
    try post("/execute/async", ["script": .string(script), "args": []])
  }

  /// Returns the messages of the console since the last call.
  package func messages() throws -> [String] {
    try post("/se/log", ["type": "browser"]).arrayValue?
      .compactMap { $0["message"]?.stringValue } ?? []
  }

  /// Returns a PNG of the window.
  package func screenshot() throws -> Data {
    Data(base64Encoded: try get("/screenshot").stringValue ?? "") ?? Data()
  }

  @discardableResult
  package func command(_ name: String, _ parameters: Value) throws -> Value {
    try post("/goog/cdp/execute", ["cmd": .string(name), "params": parameters])
  }

  private func find(_ selector: String) throws -> String {
    let found = try post("/element", ["using": "css selector", "value": .string(selector)])
    guard let id = found[Self.element]?.stringValue else {
      throw Failed(description: "no element \(selector): \(found)")
    }
    return id
  }

  private func get(_ path: String) throws -> Value {
    try Self.call(port, "GET", "/session/\(session)\(path)", nil)
  }

  @discardableResult
  private func post(_ path: String, _ body: Value) throws -> Value {
    try Self.call(port, "POST", "/session/\(session)\(path)", body)
  }

  // MARK: HTTP

  private static func call(
    _ port: UInt16, _ method: String, _ path: String, _ body: Value?
  ) throws -> Value {
    guard let socket = LoopbackSocket.connected(to: port) else {
      throw Failed(description: "chromedriver does not listen")
    }
    defer { close(socket) }
    // Longer than any limit of the driver.
    var limit = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
    let content = try body.map { Array(try JSONWriter.text($0).utf8) } ?? []
    let head =
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(content.count)\r\n\r\n"
    var rest = (Array(head.utf8) + content)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failed(description: "chromedriver is gone") }
      rest = rest.dropFirst(count)
    }
    let value = try JSONReader.decode(try received(socket))["value"] ?? .null
    if let error = value["error"]?.stringValue {
      throw Failed(
        description: "\(method) \(path): \(error): \(value["message"]?.stringValue ?? "")")
    }
    return value
  }

  /// Reads the body of an answer. The driver keeps the connection open after the body.
  private static func received(_ socket: Int32) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = head.split(separator: "\r\n").compactMap { line -> Int? in
          line.hasPrefix("content-length:")
            ? Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) : nil
        }.first
        if let length, bytes.count >= end.upperBound + length {
          return Array(bytes[end.upperBound..<(end.upperBound + length)])
        }
      }
      let count = part.withUnsafeMutableBytes { read(socket, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failed(description: "chromedriver is gone") }
      bytes += part[..<count]
    }
  }
}
