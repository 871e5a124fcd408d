import FetchValues

/// The files that the pages need, which are part of the program.
///
/// The name of each file contains a hash of its content, so a browser may keep the file forever.
package enum Assets {
  /// One file with its address.
  package struct File: Sendable {
    package var name: String
    package var type: String
    package var bytes: [UInt8]
    package var address: LocalAddress { LocalAddress("assets", name) }

    fileprivate init(_ stem: String, _ ending: String, type: String, _ texts: StaticString...) {
      bytes = texts.flatMap { text in text.withUTF8Buffer { Array($0) } }
      self.type = type
      let hash = Hexadecimal.text(of: Array(SHA256.hash(data: bytes).prefix(6)))
      name = "\(stem)-\(hash).\(ending)"
    }
  }

  package static let style = File(
    "style", "css", type: "text/css; charset=utf-8", StyleSheet.text)
  package static let script = File(
    "script", "js", type: "text/javascript; charset=utf-8", Script.text, LiveScript.text)
  package static let icon = File("icon", "svg", type: "image/svg+xml", iconText)

  package static let all = [style, script, icon]

  /// The logo beside the program's name: three marks of a timeline. The middle mark is highlighted
  /// and represents news.
  static let mark: HTML = """
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path class="quiet" \
    d="M5 19v-6M19 19v-6"/><path d="M12 19V5"/></svg>
    """

  private static let iconText: StaticString = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" \
    fill="#0f766e"/><path d="M6.500 18v-5M17.500 18v-5" stroke="#99d5cf" stroke-width="3" \
    stroke-linecap="round"/><path d="M12 18V6" stroke="#fff" stroke-width="3" \
    stroke-linecap="round"/></svg>
    """
}
