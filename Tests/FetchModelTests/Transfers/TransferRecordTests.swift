import FetchModel
import FetchValues
import Testing

@Suite struct TransferRecordTests {
  @Test func `the JSON line of a transfer is stable`() throws {
    var record = try Transfers.record(7, size: 100)
    #expect(
      record.json
        == #"{"id":7,"job":"films","url":"https://a.example/film.mkv","to":"film.mkv","#
        + #""state":"queued","receivedBytes":0,"totalBytes":100,"attempts":0,"nextAttemptAt":null,"#
        + #""failure":null,"createdAt":"2026-11-18T11:06:40.000Z","#
        + #""updatedAt":"2026-11-18T11:06:40.000Z"}"#)
    record.state = .waiting
    record.download.receivedBytes = 40
    record.download.totalBytes = nil
    record.attemptCount = 2
    record.nextAttemptAt = Timestamp(seconds: 1_795_000_010)
    record.failure = Transfers.cut
    #expect(
      record.json
        == #"{"id":7,"job":"films","url":"https://a.example/film.mkv","to":"film.mkv","#
        + #""state":"waiting","receivedBytes":40,"totalBytes":null,"attempts":2,"#
        + #""nextAttemptAt":"2026-11-18T11:06:50.000Z","failure":{"code":"connection","#
        + #""message":"the answer from a.example was cut off","retryable":true},"#
        + #""createdAt":"2026-11-18T11:06:40.000Z","updatedAt":"2026-11-18T11:06:40.000Z"}"#)
  }

  @Test func `a plugin receives the known facts`() throws {
    var record = try Transfers.record(7)
    record.state = .done
    record.download.receivedBytes = 40
    record.download.validators = RangeValidators(
      etag: "\"v\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    record.sha256 = [0xAB, 0x01]
    #expect(
      record.pluginValue == [
        "id": 7, "url": "https://a.example/film.mkv", "to": "film.mkv", "state": "done",
        "size": 40, "sha256": "ab01", "etag": "\"v\"", "modified": "1994-11-06T08:49:37.000Z",
      ])
    record = try Transfers.record(8)
    record.state = .failed
    record.failure = Transfers.gone
    #expect(
      record.pluginValue == [
        "id": 8, "url": "https://a.example/film.mkv", "to": "film.mkv", "state": "failed",
        "failure": [
          "code": "httpStatus", "message": "https://a.example/film.mkv answered 404",
        ],
      ])
  }

  @Test func `an equal request is answered by the pending transfer`() throws {
    let request = try Transfers.record().request
    var other = request
    other.headers = [HTTPField("Authorization", "new")]
    #expect(request.isSame(as: other))
    other.size = 5
    #expect(!request.isSame(as: other))
    other = request
    other.url += "?v=2"
    #expect(!request.isSame(as: other))
  }
}
