extension PostgresCommit {
  /// The call of `commit_runs_v1`.
  static let statement = PostgresStatement(
    """
    SELECT fetchrun.commit_runs_v1(
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
      $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36,
      $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53,
      $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68)
    """)

  /// The function in the server that stores a batch of commits. Its name has a version, so that two
  /// releases of fetchrun can use one store.
  ///
  /// The row of a removal keeps the title, the address and the time of publication of the item's
  /// previous version, if the store still has that version.
  static let function = """
    CREATE OR REPLACE FUNCTION fetchrun.commit_runs_v1(
      p_batch bytea, p_sequence bigint, p_ended bigint, p_job bigint, p_delivery bigint,
      new_ids bigint[], new_names text[], new_plugins text[], j_id bigint[], j_identity text[],
      j_has_state boolean[], j_state bytea[], j_schedule bytea[], j_bytes bigint[],
      j_first bigint[], n_job bigint[], n_content bytea[], r_run bytea[], r_job bigint[],
      r_plugin text[], r_trigger text[], r_outcome text[], r_reason text[], r_added bigint[],
      r_updated bigint[], r_removed bigint[], r_started bigint[], r_duration bigint[],
      r_cpu bigint[], r_requests bigint[], r_received bigint[], r_failure bytea[],
      r_due bigint[], r_ended bigint[], r_has_row boolean[], c_sequence bigint[], c_job bigint[],
      c_kind bigint[], c_seen bigint[], c_key bytea[], c_title bytea[], c_url bytea[],
      c_published bytea[], c_fields bytea[], c_high bigint[], c_low bigint[],
      c_presence bigint[], s_job bigint[], s_key bytea[], s_seen bigint[], v_job bigint[],
      v_url bytea[], v_etag bytea[], v_modified bytea[], v_hash bytea[], v_answered bigint[],
      v_reading bytea[], d_id bigint[], d_hook text[], d_job text[], d_run bytea[],
      d_event text[], d_key bytea[], d_payload bytea[], d_next bigint[], d_created bigint[],
      l_name text[], l_content bytea[]
    ) RETURNS void LANGUAGE plpgsql AS $function$
    BEGIN
      IF cardinality(new_ids) > 0 THEN
        INSERT INTO fetchrun.jobs (id, name, plugin)
          SELECT * FROM unnest(new_ids, new_names, new_plugins);
      END IF;
      IF cardinality(r_run) > 0 THEN
        INSERT INTO fetchrun.runs
          SELECT * FROM unnest(
            r_run, r_job, r_plugin, r_trigger, r_outcome, r_reason, r_added, r_updated, r_removed,
            r_started, r_duration, r_cpu, r_requests, r_received, r_failure, r_due, r_ended) AS r (
            run, job, plugin, trigger, outcome, reason, added, updated, removed, started_at,
            duration_ms, cpu_us, requests, received_bytes, failure, next_due_at, ended)
          WHERE r.ended IS NOT NULL;
        IF array_position(r_ended, NULL) IS NOT NULL THEN
          INSERT INTO fetchrun.running
            SELECT run, job, plugin, trigger, outcome, reason, added, updated, removed, started_at,
              duration_ms, cpu_us, requests, received_bytes, failure, next_due_at
            FROM unnest(
              r_run, r_job, r_plugin, r_trigger, r_outcome, r_reason, r_added, r_updated, r_removed,
              r_started, r_duration, r_cpu, r_requests, r_received, r_failure, r_due, r_ended) AS r (
              run, job, plugin, trigger, outcome, reason, added, updated, removed, started_at,
              duration_ms, cpu_us, requests, received_bytes, failure, next_due_at, ended)
            WHERE r.ended IS NULL
          ON CONFLICT (run) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason,
            added = excluded.added, updated = excluded.updated, removed = excluded.removed,
            duration_ms = excluded.duration_ms, cpu_us = excluded.cpu_us,
            requests = excluded.requests, received_bytes = excluded.received_bytes,
            failure = excluded.failure, next_due_at = excluded.next_due_at;
        END IF;
        IF true = ANY (r_has_row) THEN
          DELETE FROM fetchrun.running USING unnest(r_run, r_ended, r_has_row) AS r (run, ended, has)
            WHERE running.run = r.run AND r.has AND r.ended IS NOT NULL;
        END IF;
      END IF;
      IF cardinality(c_sequence) > 0 THEN
        INSERT INTO fetchrun.changes
          SELECT c.sequence, c.job, c.kind, items.sequence, c.seen, c.key,
            CASE WHEN c.fields IS NULL THEN was.title ELSE c.title END,
            CASE WHEN c.fields IS NULL THEN was.url ELSE c.url END,
            CASE WHEN c.fields IS NULL THEN was.published ELSE c.published END,
            coalesce(c.fields, '{}')
          FROM unnest(
              c_sequence, c_job, c_kind, c_seen, c_key, c_title, c_url, c_published, c_fields)
              AS c (sequence, job, kind, seen, key, title, url, published, fields)
            LEFT JOIN fetchrun.items ON items.job = c.job AND items.key = c.key
            LEFT JOIN fetchrun.changes AS was
              ON c.fields IS NULL AND was.sequence = items.sequence;
        INSERT INTO fetchrun.items
          SELECT * FROM unnest(c_job, c_key, c_high, c_low, c_presence, c_seen, c_sequence)
        ON CONFLICT (job, key) DO UPDATE SET fingerprint_high = excluded.fingerprint_high,
          fingerprint_low = excluded.fingerprint_low, presence = excluded.presence,
          last_seen_at = excluded.last_seen_at, sequence = excluded.sequence;
      END IF;
      IF cardinality(s_job) > 0 THEN
        UPDATE fetchrun.items SET last_seen_at = s.seen
          FROM unnest(s_job, s_key, s_seen) AS s (job, key, seen)
          WHERE items.job = s.job AND items.key = s.key;
      END IF;
      IF cardinality(j_id) > 0 THEN
        UPDATE fetchrun.jobs SET identity = coalesce(j.identity, jobs.identity),
            state = CASE WHEN j.has_state THEN j.state ELSE jobs.state END,
            schedule = coalesce(j.schedule, jobs.schedule),
            bytes = greatest(0, jobs.bytes + j.bytes),
            first_result_at = coalesce(jobs.first_result_at, j.first)
          FROM unnest(j_id, j_identity, j_has_state, j_state, j_schedule, j_bytes, j_first)
            AS j (id, identity, has_state, state, schedule, bytes, first)
          WHERE jobs.id = j.id;
      END IF;
      IF cardinality(n_job) > 0 THEN
        INSERT INTO fetchrun.learned SELECT * FROM unnest(n_job, n_content)
        ON CONFLICT (job) DO UPDATE SET content = excluded.content;
      END IF;
      IF cardinality(v_job) > 0 THEN
        INSERT INTO fetchrun.validators
          SELECT * FROM unnest(v_job, v_url, v_etag, v_modified, v_hash, v_answered, v_reading)
        ON CONFLICT (job, sha256(url)) DO UPDATE SET etag = excluded.etag,
          last_modified = excluded.last_modified, body_hash = excluded.body_hash,
          last_full_answer_at = excluded.last_full_answer_at, reading = excluded.reading;
      END IF;
      IF cardinality(d_id) > 0 THEN
        INSERT INTO fetchrun.outbox (
            id, hook, job, run, event, key, payload, next_attempt_at, created_at, state, attempts)
          SELECT *, 'pending', 0 FROM unnest(
            d_id, d_hook, d_job, d_run, d_event, d_key, d_payload, d_next, d_created);
      END IF;
      IF cardinality(l_name) > 0 THEN
        INSERT INTO fetchrun.ledger SELECT * FROM unnest(l_name, l_content)
        ON CONFLICT (name) DO UPDATE SET content = excluded.content;
      END IF;
      UPDATE fetchrun.writer SET batch = p_batch, sequence = p_sequence, ended = p_ended,
        job = p_job, delivery = p_delivery;
    END
    $function$;
    """
}
