/// The script of the page, at most 10 KB. Every view and every action works without it.
///
/// It shows times in the reader's zone, adds keys, and updates rows when the server reports news. It
/// changes nodes with `textContent`, `setAttribute` and clones alone, which is all that the page's
/// policy allows.
enum Script {
  static let text: StaticString = #"""
    'use strict';
    (() => {
    const all = (q, from) => Array.from((from || document).querySelectorAll(q));
    const one = (q, from) => (from || document).querySelector(q);

    // Times in the reader's zone. The server's clock counts, not the reader's.
    const day = 86400000, footer = one('footer time');
    const madeAt = footer ? Date.parse(footer.getAttribute('datetime')) : performance.timeOrigin;
    const now = () => new Date(madeAt + performance.now());
    const clock = new Intl.DateTimeFormat([], {hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
    const week = new Intl.DateTimeFormat([], {weekday: 'short'});
    const date = new Intl.DateTimeFormat([], {day: 'numeric', month: 'short'});
    const full = new Intl.DateTimeFormat([], {dateStyle: 'full', timeStyle: 'long'});
    const midnight = t => new Date(t.getFullYear(), t.getMonth(), t.getDate()).getTime();
    const shown = t => {
      const away = Math.abs(Math.round((midnight(t) - midnight(now())) / day));
      if (away === 0) return clock.format(t);
      if (away < 7) return week.format(t) + ' ' + clock.format(t);
      if (t.getFullYear() !== now().getFullYear()) return date.format(t) + ' ' + t.getFullYear();
      return date.format(t) + ' ' + clock.format(t);
    };
    const localize = node => {
      const t = new Date(node.getAttribute('datetime'));
      if (isNaN(t)) return;
      node.textContent = shown(t);
      node.setAttribute('title', full.format(t));
    };
    all('time').forEach(localize);
    const zone = one('#zone');
    if (zone) zone.textContent = 'Times are in your time zone; it is';
    all('.scale text[data-at]').forEach(node => {
      const t = new Date(node.getAttribute('data-at'));
      if (!isNaN(t)) node.textContent = node.hasAttribute('data-day') ? week.format(t) : clock.format(t);
    });

    // Keys: none in fields, none with a modifier; they can be turned off (WCAG 2.1.4).
    const stored = name => { try { return localStorage.getItem(name); } catch { return null; } };
    const store = (name, value) => { try { localStorage.setItem(name, value); } catch {} };
    const toggle = one('#keys-on');
    if (toggle) {
      toggle.checked = stored('keys') !== 'off';
      toggle.addEventListener('change', () => store('keys', toggle.checked ? 'on' : 'off'));
    }
    const places = {o: '/', i: '/items', r: '/runs', b: '/budget', d: '/deliveries', t: '/transfers'};
    const rows = all('.attention > li:not(.more), .jobs tbody tr, .items > li:not(.here), '
      + '.runs tbody tr, .queue tbody tr');
    let current = -1, afterG = false;
    const move = step => {
      if (!rows.length) return;
      if (rows[current]) rows[current].classList.remove('current');
      current = Math.max(0, Math.min(rows.length - 1, current + step));
      rows[current].classList.add('current');
      const link = one('a', rows[current]);
      if (link) link.focus();
      rows[current].scrollIntoView({block: 'nearest'});
    };
    const press = it => { if (it) it.click(); return Boolean(it); };
    const go = it => { if (it) location.assign(it.href); return Boolean(it); };
    // Sends an action for the job of the row: its button, or a copy of any form of the page.
    const act = words => {
      const row = rows[current], job = row && one('a.job', row);
      if (!job) return press(one(words.map(w => `.heading form[action^="/jobs/"][action$="/${w}"] button`).join()));
      const button = one(words.map(w => `form[action$="/${w}"] button`).join(), row);
      if (button) return press(button);
      const form = one('form.action');
      if (!form) return false;
      const copy = form.cloneNode(true);
      copy.setAttribute('action', job.pathname + '/' + (words.length > 1 && one('.state.paused', row) ? words[1] : words[0]));
      document.body.append(copy);
      copy.submit();
      return true;
    };
    document.addEventListener('keydown', event => {
      if (stored('keys') === 'off' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      const key = event.key, row = rows[current];
      let done = true;
      if (afterG && places[key]) location.assign(places[key]);
      else if (key === 'g') { afterG = true; setTimeout(() => { afterG = false; }, 1500); return; }
      else if (key === 'j') move(1);
      else if (key === 'k') move(-1);
      else if (key === 'o') done = go(row && one('a', row));
      else if (key === 'v') done = go(one('.original a', row));
      else if (key === '[') done = go(one('a[rel=prev]'));
      else if (key === ']') done = go(one('.versions a[rel=next]'));
      else if (key === 'm') done = press((row && current > 0) ? one('button[form=seen]', row) : one('#seen button'));
      else if (key === 'R') done = act(['run']);
      else if (key === 'p') done = act(['pause', 'resume']);
      else if (key === '/') { const f = one('.find input'); if (f) f.focus(); }
      else if (key === '?') location.assign('/about');
      else done = false;
      afterG = false;
      if (done) event.preventDefault();
    });

    // News of the server, while the page is visible: a row changes at most once a second and never
    // while it has the focus; nothing moves by itself.
    const path = document.body.getAttribute('data-events');
    const answer = one('#answer'), list = one('ol.items:not(.read)');
    if (!path || !window.EventSource || !(answer || list)) return;
    const byJob = new Map(all('tr[data-job]').map(tr => [tr.getAttribute('data-job'), tr]));
    const need = new Set(all('li[data-need]').map(n => n.getAttribute('data-need')));
    const jobs = answer ? Number(answer.getAttribute('data-jobs')) : 0;
    const isWhole = answer && Number(answer.getAttribute('data-need')) === need.size;
    const types = answer ? (jobs <= 200 ? 'state,run,item' : 'run,item') : 'item';
    const job = list && new URLSearchParams(location.search).get('job');
    const waiting = new Map();
    let source = null, last = '', news = 0, timer = 0;
    const svg = 'http://www.w3.org/2000/svg';
    const strokes = {noData: x => `M${x} 23v-6`, newData: x => `M${x} 23v-19`, failed: x => `M${x} 2v13`};
    const mark = (plot, run) => {
      const x = t => Math.floor((t - madeAt + 18 * 3600000) / day * 480);
      const at = x(Date.parse(run.startedAt)), line = one('.now', plot);
      if (!strokes[run.outcome] || !(at >= 0 && at < 480)) return;
      let kind = one('.' + run.outcome, plot);
      if (!kind) {
        kind = document.createElementNS(svg, 'path');
        kind.setAttribute('class', run.outcome);
        plot.insertBefore(kind, line);
      }
      kind.setAttribute('d', (kind.getAttribute('d') || '') + strokes[run.outcome](at));
      line.setAttribute('d', `M${Math.min(479, x(now()))} 0v24`);
    };
    const setNext = (cell, text) => {
      const t = document.createElement('time');
      t.setAttribute('datetime', text);
      localize(t);
      cell.replaceChildren(t);
    };
    const show = (tr, {runs, state}) => {
      for (const run of runs) {
        mark(one('.timeline', tr), run);
        const cell = one('td.number', tr), parts = cell.textContent.split('/').map(Number);
        cell.firstChild.textContent = parts[0] + (run.outcome === 'newData' ? 1 : 0);
        cell.lastChild.textContent = '/' + (parts[1] + 1);
        if (run.nextDueAt) setNext(one('td.next', tr), run.nextDueAt);
      }
      if (!state) return;
      const word = one('.state', tr);
      word.textContent = state.state;
      word.setAttribute('class', 'state ' + state.state);
      if (state.nextDueAt) setNext(one('td.next', tr), state.nextDueAt);
    };
    const flush = () => {
      timer = 0;
      for (const [name, change] of waiting) {
        const tr = byJob.get(name);
        if (tr.contains(document.activeElement)) continue;
        waiting.delete(name);
        show(tr, change);
      }
      if (waiting.size) timer = setTimeout(flush, 1000);
    };
    const note = (name, add) => {
      if (!byJob.has(name)) return;
      if (!waiting.has(name)) waiting.set(name, {runs: [], state: null});
      add(waiting.get(name));
      if (!timer) timer = setTimeout(flush, 1000);
    };
    const judge = (name, isBad) => {
      if (!isWhole || isBad === need.has(name)) return;
      if (isBad) need.add(name); else need.delete(name);
      const count = need.size, many = n => n.toLocaleString('en');
      answer.textContent = count === 0 ? (jobs === 1 ? 'The job is fine' : `All ${many(jobs)} jobs are fine`)
        : `${many(count)} of ${many(jobs)} ${jobs === 1 ? 'job' : 'jobs'} ${count === 1 ? 'needs' : 'need'} you`;
      document.title = answer.textContent + ' · fetchrun';
    };
    const fresh = () => {
      const place = list ? one('.heading') : one('nav a[href="/items"]');
      let it = one('.fresh', place);
      if (!it) {
        it = document.createElement(list ? 'button' : 'b');
        it.setAttribute('class', list ? 'fresh primary' : 'fresh count');
        if (list) it.addEventListener('click', () => location.reload());
        place.append(it);
      }
      it.textContent = list ? `${news} new` : `+${news}`;
    };
    const on = (name, take) => source.addEventListener(name, event => {
      if (event.lastEventId) last = event.lastEventId;
      try { take(JSON.parse(event.data)); } catch {}
    });
    const listen = () => {
      if (document.hidden) { if (source) source.close(); source = null; return; }
      if (source) return;
      source = new EventSource(path + '?types=' + types + (job ? '&job=' + encodeURIComponent(job) : '')
        + (last ? '&since=' + last : ''));
      on('run', run => { note(run.job, w => w.runs.push(run)); judge(run.job, run.outcome === 'failed'); });
      on('state', state => {
        note(state.job, w => { w.state = state; });
        judge(state.job, state.failures > 0 || Boolean(state.isHeld));
      });
      on('item', () => { news += 1; fresh(); });
    };
    document.addEventListener('visibilitychange', listen);
    listen();
    })();

    """#
}
