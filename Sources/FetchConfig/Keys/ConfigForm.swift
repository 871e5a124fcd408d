import FetchModel
import FetchValues

/// A kind of value together with the function that reads it.
///
/// The function receives the node and the key's name for messages. It reports mistakes, and may
/// return nil if it cannot read the value.
struct ConfigForm<Value>: Sendable {
  let kind: ConfigKind
  let read: @Sendable (inout ConfigReader, Node, String) -> Value?
}

extension ConfigForm where Value == String {
  static var text: Self { Self(kind: .text) { $0.text($1, $2) } }
  static var path: Self { Self(kind: .path) { $0.text($1, $2) } }
  /// A non-empty text on one line.
  static var line: Self { Self(kind: .text) { $0.line($1, $2) } }
  static var linePath: Self { Self(kind: .path) { $0.line($1, $2) } }
  /// A text that may contain the placeholders `{{…}}` of a delivery.
  static var template: Self { Self(kind: .text) { $0.template($1, $2) } }
}

extension ConfigForm where Value == [String] {
  static var paths: Self { Self(kind: .paths) { $0.texts($1, $2).map(\.text) } }
  static var names: Self { Self(kind: .names) { $0.texts($1, $2).map(\.text) } }
}

extension ConfigForm where Value == Bool {
  static var flag: Self { Self(kind: .flag) { $0.flag($1, $2) } }
}

extension ConfigForm where Value == Int {
  static func count(_ range: ClosedRange<Int>) -> Self {
    Self(kind: .count(range)) { $0.count($1, $2, range) }
  }

  /// A duration, rounded up to a whole number of days. The number is at least 1, because retention
  /// runs once a day, and at most `Retention.daysMax`.
  static var wholeDays: Self {
    Self(kind: .duration) { reader, node, name in
      guard let duration = reader.parsedOne(node, name, by: Duration.init(parsing:)) else {
        return nil
      }
      let days = (duration.wholeMilliseconds + 86_399_999) / 86_400_000
      return Int(min(max(1, days), Int64(Retention.daysMax)))
    }
  }
}

extension ConfigForm where Value == Int64 {
  /// A number of bytes. A number below `least` is reported as a mistake.
  static func size(atLeast least: Int64 = 0) -> Self {
    Self(kind: .size) { reader, node, name in
      guard let size = reader.parsedOne(node, name, by: ByteSize.init(parsing:)) else {
        return nil
      }
      if size.bytes < least {
        reader.note(node, "\(name) must be at least \(ByteSize(bytes: least))")
      }
      return size.bytes
    }
  }
}

extension ConfigForm where Value == Duration {
  static func duration(_ range: ClosedRange<Duration>) -> Self {
    Self(kind: .duration) { $0.duration($1, $2, range) }
  }

  /// A duration of at least zero. A duration longer than `longest` is reported as a mistake and
  /// reduced to `longest`.
  static func pause(atMost longest: Duration) -> Self {
    Self(kind: .pause) { reader, node, name in
      guard let pause = reader.parsedOne(node, name, by: Duration.init(parsing:)) else {
        return nil
      }
      if pause > longest { reader.note(node, "\(name) must be at most \(longest.shortText)") }
      return min(pause, longest)
    }
  }
}

extension ConfigForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
  static func choice(_ choices: Value.Type) -> Self {
    Self(kind: .choice(choices.allCases.map(\.rawValue))) { $0.choice($1, $2, Value.self) }
  }
}

extension ConfigForm where Value == [Rate] {
  static func rates(_ quantity: Rate.Quantity) -> Self {
    Self(kind: .rates(quantity)) { $0.rates($1, $2, quantity) }
  }
}

extension ConfigForm where Value == Interval {
  static var interval: Self {
    Self(kind: .interval) { $0.parsedOne($1, $2, by: Interval.init(parsing:)) }
  }
}

extension ConfigForm where Value == [DayWindow] {
  static var windows: Self {
    Self(kind: .windows) { $0.parsed($1, $2, by: DayWindow.init(parsing:)) }
  }
}

extension ConfigForm where Value == ZoneOffsets {
  static var zone: Self { Self(kind: .zone) { $0.zone($1, $2) } }
}

extension ConfigForm where Value == Priority {
  static var priority: Self {
    Self(kind: .priority) { $0.parsedOne($1, $2, by: Priority.init(parsing:)) }
  }
}

extension ConfigForm where Value == [HostPattern] {
  static var hosts: Self { Self(kind: .hosts) { reader, node, _ in reader.hosts(node) } }
}

extension ConfigForm where Value == PrivateAddresses {
  static var blocks: Self { Self(kind: .blocks) { $0.privateAddresses($1, $2) } }
}

extension ConfigForm where Value == SecretSource {
  static var secret: Self { Self(kind: .secret) { $0.innerSource($1, $2) } }
}

extension ConfigForm where Value == Weekdays {
  static var days: Self { Self(kind: .days) { reader, node, _ in reader.days(node) } }
}

extension ConfigForm where Value == Conditions {
  static var conditions: Self {
    Self(kind: .conditions) { reader, node, _ in reader.conditions(node) }
  }
}

extension ConfigForm where Value == FirstRunRule {
  static var firstRun: Self { Self(kind: .firstRun) { reader, node, _ in reader.firstRun(node) } }
}

extension ConfigForm where Value == ItemFilter {
  static var filter: Self {
    Self(kind: .filter) { reader, node, name in
      reader.parsedOne(node, name) { text throws(FilterProblem) in try ItemFilter(parsing: text) }
    }
  }
}

extension ConfigForm where Value == Rate {
  static var rate: Self {
    Self(kind: .rate) { reader, node, name in
      let rate = reader.parsedOne(node, name) { text throws(ScheduleTextError) in
        try Rate(parsing: text, of: .count)
      }
      if rate?.amount == 0 { reader.note(node, "\(name) must be at least 1") }
      return rate
    }
  }
}
