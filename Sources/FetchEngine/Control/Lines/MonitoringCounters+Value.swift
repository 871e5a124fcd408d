import FetchModel
import FetchValues

extension MonitoringCounters {
  /// The counters as a part of `MetricsLine`. Times are seconds since 1970.
  var members: [(String, Value)] {
    [
      ("runs", .counts(runs)), ("failures", .counts(failures)), ("noData", .counts(noData)),
      ("items", .counts(items)), ("skips", .counts(skips)),
      ("deliveryAttempts", .counts(deliveryAttempts)),
      (
        "lastRuns",
        .object(
          ValueObject(
            lastRuns.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value.unixSeconds)) }))
      ),
      ("runCPUSeconds", .number(runCPUSeconds)), ("requests", .integer(requests)),
      ("receivedBytes", .integer(receivedBytes)),
      ("transferReceivedBytes", .integer(transferBytes)), ("runSeconds", runSeconds.value),
      ("startDelaySeconds", startDelaySeconds.value),
      ("itemDelaySeconds", itemDelaySeconds.value), ("commitSeconds", commitSeconds.value),
    ]
  }

  init(_ value: Value) {
    self.init()
    runs = value["runs"]?.nestedCounts ?? [:]
    failures = value["failures"]?.boundedCounts ?? [:]
    noData = value["noData"]?.boundedCounts ?? [:]
    items = value["items"]?.boundedCounts ?? [:]
    skips = value["skips"]?.boundedCounts ?? [:]
    deliveryAttempts = value["deliveryAttempts"]?.nestedCounts ?? [:]
    for member in value["lastRuns"]?.objectValue?.members ?? [] {
      lastRuns[member.key] = member.value.finiteNumber.map { Timestamp(unixSeconds: $0) }
    }
    runCPUSeconds = value["runCPUSeconds"]?.finiteNumber ?? 0
    requests = Int64(value["requests"]?.boundedCount ?? 0)
    receivedBytes = Int64(value["receivedBytes"]?.boundedCount ?? 0)
    transferBytes = Int64(value["transferReceivedBytes"]?.boundedCount ?? 0)
    runSeconds = Histogram(value["runSeconds"]) ?? runSeconds
    startDelaySeconds = Histogram(value["startDelaySeconds"]) ?? startDelaySeconds
    itemDelaySeconds = Histogram(value["itemDelaySeconds"]) ?? itemDelaySeconds
    commitSeconds = Histogram(value["commitSeconds"]) ?? commitSeconds
  }
}
