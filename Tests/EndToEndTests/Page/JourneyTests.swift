import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of a person's way through the page from the login on: with a script, without a script, and
/// by keyboard.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(5)))
struct JourneyTests {
  @Test(arguments: [true, false])
  func `a person finds what failed, runs it, reads a difference, grants, retries and pauses`(
    runsScripts: Bool
  ) throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver(runsScripts: runsScripts)
    try browser.open(site.address + "/")
    #expect(try browser.text("h1") == "Log in")
    try site.logIn(browser)
    #expect(try browser.title() == "2 of 5 jobs need you · fetchrun")
    #expect(try browser.text(".attention .why").contains("always broken"))

    try browser.follow(".attention .who a")
    #expect(try browser.text("h1") == "broken")
    #expect(try browser.text(".explain").contains("always broken"))
    #expect(try browser.text(".gates .closed").contains("due"))
    try browser.follow("form[action='/jobs/broken/run'] button")
    // The lane of the source may still be closed after the last run.
    #expect(
      ["The job is due now.", "The run has to wait. The job's page shows the reason."]
        .contains(try browser.text(".notice")))
    #expect(site.waits(for: "failed  broken", count: 2))
    try browser.follow("form[action='/jobs/broken/pause'] button")
    #expect(try browser.text(".notice") == "The job is paused.")
    #expect(try browser.text(".state") == "paused")
    #expect(try browser.text(".gates .closed").contains("pause"))
    try browser.follow("form[action='/jobs/broken/resume'] button")
    #expect(try browser.text(".notice") == "The job is no longer paused individually.")
    try browser.follow(".runs a")
    #expect(try browser.text(".failure").contains("always broken"))

    try readDifference(site, browser)
    try grantAndRetry(site, browser)

    try browser.open(site.address + "/")
    try browser.follow("form[action='/pause'] button")
    #expect(try browser.text(".notice") == "All jobs are paused.")
    #expect(try browser.text(".heading .facts").contains("all jobs paused since"))
    try browser.follow("form[action='/resume'] button")
    try browser.open(site.address + "/about")
    #expect(try browser.text(".checks").contains("daemon"))
    try browser.follow("form[action='/logout'] button")
    #expect(try browser.text("h1") == "Log in")
  }

  private func readDifference(_ site: PageSite, _ browser: WebDriver) throws {
    try browser.open(site.address + "/jobs/changing")
    try browser.follow("form[action='/jobs/changing/run'] button")
    #expect(site.waits(for: "newData  changing", count: 2))
    try browser.open(site.address + "/items?job=changing")
    #expect(try browser.text(".difference del").contains("ships: 1"))
    #expect(try browser.text(".difference ins").contains("ships: 2"))
    try browser.follow(".items .title")
    #expect(try browser.text("h1") == "The harbour")
    #expect(try browser.text(".versions span").contains("version 2 of 2"))
    try browser.follow("a[rel=prev]")
    #expect(try browser.text(".fields").contains("ships: 1"))
    try browser.follow("a[rel=next]")

    // The first button marks the third of the newest items and the older items as seen. The second
    // button marks all items as seen.
    try browser.open(site.address + "/items")
    try browser.follow(".items > li:nth-child(3) button")
    #expect(try browser.text(".notice") == "The items were marked as seen.")
    #expect(try browser.text(".heading .facts") == "2 new items on this page.")
    #expect(try browser.text(".items > li:nth-child(3)").hasPrefix("you marked the items below"))
    try browser.follow("#seen button")
    #expect(try browser.text(".heading .facts") == "No item on this page is new.")
  }

  private func grantAndRetry(_ site: PageSite, _ browser: WebDriver) throws {
    try browser.open(site.address + "/")
    try browser.follow(".attention .review .buttons a")
    #expect(try browser.text("h1") == "Permissions of held")
    #expect(try browser.text(".difference").contains("reach tracker.example"))
    try browser.follow("form[action='/jobs/held/grant'] button")
    #expect(try browser.text(".notice") == "The permissions are granted.")
    #expect(try browser.text(".heading .facts").hasPrefix("No request of the job's file"))

    try browser.open(site.address + "/deliveries")
    #expect(try browser.text(".queue tbody").contains("chat"))
    try browser.follow("form[action$='/retry'] button")
    #expect(try browser.text(".notice") == "The delivery or transfer is due now.")
    try browser.follow("form[action$='/drop'] button")
    #expect(try browser.text(".notice") == "The delivery was dropped.")
  }

  @Test func `a person does all of that by keyboard alone`() throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver()
    try browser.open(site.address + "/login")
    try browser.tab(to: "")
    try browser.type(String(try site.login().split(separator: "=").last ?? ""))
    try browser.leave(by: WebDriver.Key.enter.rawValue)
    #expect(try browser.text("h1") == "2 of 5 jobs need you")

    // The first Tab reaches the skip link. The link then has a visible outline.
    try browser.press(.tab)
    #expect(try browser.run("return document.activeElement.className") == "skip")
    #expect(
      try browser.run("return getComputedStyle(document.activeElement).outlineStyle") != "none")
    try browser.press(.enter)
    #expect(try browser.run("return document.activeElement.id") == "main")

    try browser.type("j")
    try browser.leave(by: "o")
    #expect(try browser.text("h1") == "broken")
    try browser.leave(by: "R")
    // The lane of the source may still be closed after the last run.
    #expect(
      ["The job is due now.", "The run has to wait. The job's page shows the reason."]
        .contains(try browser.text(".notice")))
    #expect(site.waits(for: "failed  broken", count: 2))
    try browser.leave(by: "p")
    #expect(try browser.text(".state") == "paused")
    try browser.leave(by: "p")
    #expect(try browser.text(".notice") == "The job is no longer paused individually.")

    try browser.open(site.address + "/?match=changing")
    try browser.type("jjj")
    try browser.leave(by: "R")
    #expect(site.waits(for: "newData  changing", count: 2))
    try browser.leave(by: "gi")
    try browser.type("j")
    try browser.leave(by: "o")
    #expect(try browser.text(".difference ins").contains("ships: 2"))
    try browser.leave(by: "[")
    #expect(try browser.text(".versions").contains("version 1 of 2"))
    try browser.leave(by: "]")
    try browser.leave(by: "gi")
    try browser.type("jjj")
    try browser.leave(by: "m")
    #expect(try browser.text(".heading .facts") == "2 new items on this page.")

    try browser.leave(by: "go")
    try browser.type("jj")
    try browser.tab(to: "Review: held")
    try browser.leave(by: WebDriver.Key.enter.rawValue)
    try browser.tab(to: "Agree: to the new permissions of held")
    try browser.leave(by: WebDriver.Key.enter.rawValue)
    #expect(try browser.text(".notice") == "The permissions are granted.")
    try browser.leave(by: "gd")
    try browser.type("j")
    let row = try browser.run(
      "return document.querySelector('form[action$=\"/retry\"] button').getAttribute('aria-label')")
    try browser.tab(to: row.stringValue ?? "")
    try browser.leave(by: WebDriver.Key.enter.rawValue)
    #expect(try browser.text(".notice") == "The delivery or transfer is due now.")
    try browser.leave(by: "go")
    try browser.tab(to: "Pause all: all jobs")
    try browser.leave(by: WebDriver.Key.enter.rawValue)
    #expect(try browser.text(".notice") == "All jobs are paused.")
  }

  @Test func `the keys lead through the page, and can be turned off`() throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver()
    try site.logIn(browser)
    for (keys, title) in [
      ("gi", "Items"), ("gr", "Runs"), ("gb", "Budget"), ("gd", "Deliveries"), ("gt", "Transfers"),
      ("?", "About"), ("go", "2 of 5 jobs need you"),
    ] {
      try browser.type(keys)
      #expect(try site.waits(for: browser, title: title + " · fetchrun"), "\(keys)")
    }
    try browser.type("/")
    #expect(
      try browser.run("return document.activeElement.getAttribute('name')") == "match")
    // Keys that are typed in a field are not shortcuts.
    try browser.type("gt")
    #expect(try browser.run("return document.activeElement.value") == "gt")
    try browser.open(site.address + "/about")
    try browser.click("#keys-on")
    try browser.open(site.address + "/items")
    try browser.type("gt")
    #expect(try browser.title() == "Items · fetchrun")
    #expect(try browser.run("return localStorage.getItem('keys')") == "off")
  }
}
