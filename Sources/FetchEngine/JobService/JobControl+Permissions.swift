import FetchModel
import FetchStore
import FetchValues

/// The permissions of jobs, for programs that show the permissions and let a person approve them.
///
/// Each request reads the job's config and plugin file again.
extension JobControl {
  func permissions(
    of name: JobName, _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    await withClaimant(name) { claimant in
      do throws(StoreError) { await line(try await permissions(claimant).value) } catch {
        return .failed(error.message)
      }
      return .done
    }
  }

  /// Grants the permissions that a job's file requests. Returns a failure if the file, or a file
  /// that it requires, has changed since its permissions were shown. Also returns a failure if the
  /// file requests more than the config allows, or if the store reports an error.
  func agree(
    _ name: JobName, _ hash: [UInt8], _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    await withClaimant(name) { claimant in
      let plugin = claimant.job.plugin
      guard plugin.source.contentHash == hash else {
        return .failed(
          "the file of '\(name)', or a file that it requires, has changed since its permissions"
            + " were shown; look at the permissions again",
          code: .changed)
      }
      do throws(StoreError) {
        let permissions = try await permissions(claimant)
        if case .beyondAllowance = permissions.decision, let held = permissions.held {
          return .failed(held.message)
        }
      } catch { return .failed(error.message) }
      let grant = PinnedGrant(
        plugin: plugin.name, hash: hash, granted: plugin.asked, at: now(), source: .agreement)
      return await keep(grant, of: .job(name), plugin.manifest.name, line)
    }
  }

  private func withClaimant(
    _ name: JobName, _ body: (GrantClaimant) async -> ControlEnd
  ) async -> ControlEnd {
    guard let claimants else {
      return .failed("this process cannot read the files of plugins and hooks")
    }
    do {
      guard let claimant = try await claimants(name) else { return unknown(name) }
      return await body(claimant)
    } catch {
      return .failed("\(error)")
    }
  }

  private func permissions(
    _ claimant: GrantClaimant
  ) async throws(StoreError) -> JobPermissions {
    let pin = try await reader?.grant(
      of: JobName(claimant.holder.name), plugin: claimant.job.plugin.name)
    return JobPermissions(
      claimant, pin ?? nil, suggested: runs?.services.suggested ?? SuggestedCommand(), now: now())
  }
}
