import FetchModel

/// The forms of values as regular expressions (ECMA 262, as JSON Schema requires). Each pattern
/// approximates the texts that the reader's parser accepts.
enum SchemaPattern {
  /// The pattern of a number in the form that `UnitText` accepts.
  private static let number = #"[0-9]{1,12}(\.[0-9]{1,6})?"#

  /// Returns the pattern of numbers with units. The units must be in the order of `names`, and each
  /// occurs at most once.
  private static func units(_ names: [String]) -> String {
    #"(?=[ ]*[0-9]) *"# + names.map { "(\(number) *\($0) *)?" }.joined()
  }

  private static let anyDuration = units(["w", "d", "h", "m", "s", "ms"])
  private static let notNothing = "(?=.*[1-9])"

  static let duration = "^\(anyDuration)$"
  /// The pattern of a duration of at most a day, in hours and smaller units or as `1d`. It also
  /// matches some longer durations, such as `24h30m` and `2000m`. It does not match other durations
  /// in days, such as `0.5d`.
  private static let dayAtMost =
    "((?! *0*(2[5-9]|[3-9][0-9]|[1-9][0-9]{2,})[0-9.]* *h)\(units(["h", "m", "s", "ms"]))| *1 *d *)"
  static let pause = "^\(dayAtMost)$"
  static let window = "^\(notNothing)\(dayAtMost)$"
  static let size = #"^ *\#(number) *([kKmMgGtT][iI]?)?[bB] *$"#
  static let firstRun = "^(all|baseline|latest:0*[1-9][0-9]{0,17})$"
  static let priority = "^(low|normal|high|[1-9][0-9]?)$"

  /// Returns the pattern of a rate of more than zero. It also matches fractions of a byte or a
  /// millisecond.
  static func rate(_ quantity: Rate.Quantity) -> String {
    let amount =
      switch quantity {
      case .count: " *[0-9]{1,12} *"
      case .bytes: #" *\#(number) *([kKmMgGtT][iI]?)?[bB] *"#
      case .time: anyDuration
      }
    return "^(?=[^/]*[1-9])\(amount)/ *[hd] *$"
  }

  /// The pattern of an interval: a word such as `adaptive`, a cron line, or a duration of at least
  /// a second. It also matches unusual spellings of shorter durations.
  static let interval: String = {
    let short = #"(?! *([0-9]{1,3}(\.[0-9]+)? *ms|0+(\.[0-9]+)? *s) *$)"#
    let names = "@(yearly|annually|monthly|weekly|daily|midnight|hourly)"
    return "^(never|adaptive|\(names)|\(short)\(notNothing)\(anyDuration)|\(CronLine.pattern))$"
  }()

  /// The pattern of a part of the day such as `07:00-22:00`. The two times must be spelled
  /// differently.
  static let dayWindow =
    #"^(?! *(\S+) *- *\1 *$) *([01]?[0-9]|2[0-3]):[0-5][0-9] *- *(([01]?[0-9]|2[0-3]):[0-5][0-9]|24:00) *$"#

  static let days: String = {
    let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    let long = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    let day = "(" + (long + names).map(\.inAnyCase).joined(separator: "|") + ")"
    let words = ["weekdays", "weekend", "daily"].map(\.inAnyCase).joined(separator: "|")
    let part = " *(\(words)|\(day)(-\(day))?) *"
    return "^\(part)(,\(part))*$"
  }()

  static let condition =
    #"^(network|ac-power| *load +(below|<) +(?=[0-9.]*[1-9])([0-9]{1,4}(\.[0-9]+)?|10000) *)$"#

  /// The pattern of a time zone's name. It does not list the names, because they depend on the
  /// machine.
  static let zone = "^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$"

  /// The pattern of a host: a hostname such as `example.org`, a wildcard such as `*.example.org`,
  /// or an address. A scheme and a port are optional. An IPv6 address with a port needs brackets.
  static let host: String = {
    let label = "[A-Za-z0-9_-]{1,63}"
    let six = "[0-9A-Fa-f]*:[0-9A-Fa-f:.]*"
    let scheme = "([hH][tT][tT][pP][sS]?://)?"
    let names = #"(\*|(\*\.)?\#(label)(\.\#(label))*\.?|\[\#(six)\])"#
    let highPort = "6([0-4][0-9]{3}|5([0-4][0-9]{2}|5([0-2][0-9]|3[0-5])))"
    let port = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|\(highPort))"
    return #"^(\#(scheme)\#(names)(:(\#(port)|\*))?|\#(scheme)\#(six))$"#
  }()

  /// The pattern of an IPv4 or IPv6 address, with or without a prefix length.
  static let block: String = {
    let four = #"[0-9]{1,3}(\.[0-9]{1,3}){3}(/([0-9]|[12][0-9]|3[0-2]))?"#
    let six = "[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?"
    return "^(\(four)|\(six))$"
  }()
}
