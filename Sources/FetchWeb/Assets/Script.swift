/// The script of the pages, together with `LiveScript` at most 10 KiB. Every view and every action
/// works without it.
///
/// The script shows times in the reader's time zone and adds keyboard shortcuts; `LiveScript` keeps
/// rows up to date. The script never turns text into HTML, because the page's content security
/// policy forbids this. New content is set with `textContent`, or consists of copied nodes.
enum Script {
  static let text: StaticString = #"""
    'use strict';
    (() => {
    const all = (q, from) => Array.from((from || document).querySelectorAll(q));
    const one = (q, from) => (from || document).querySelector(q);

    // Shows times in the reader's time zone. On a page with a footer, the present time comes from
    // the server's clock, not from the reader's clock.
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
    document.addEventListener('rows', event => all('time', event.detail).forEach(localize));
    const zone = one('#zone');
    if (zone) zone.textContent = 'Times are in your time zone; it is';
    all('.scale text[data-at]').forEach(node => {
      const t = new Date(node.getAttribute('data-at'));
      if (!isNaN(t)) node.textContent = node.hasAttribute('data-day') ? week.format(t) : clock.format(t);
    });

    // Keyboard shortcuts do not work in fields, or with the Ctrl, Alt or Meta key. The user can
    // turn them off (WCAG 2.1.4).
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
    // Performs an action on the job of the current row: presses the row's button for the action. If
    // the row has no such button, submits a copy of the page's first action form, if there is one,
    // with the address of this job's action. If no row with a job is current, presses the button in
    // the page's heading.
    const act = words => {
      const row = rows[current], job = row && one('a.job', row);
      if (!job) return press(one(words.map(w => `.heading form[action^="/jobs/"][action$="/${w}"] button`).join()));
      const button = one(words.map(w => `form[action$="/${w}"] button`).join(), row);
      if (button) return press(button);
      const form = one('form.action');
      if (!form) return false;
      const copy = form.cloneNode(true);
      copy.setAttribute('action', job.pathname + '/' + (words.length > 1 && one('[data-paused]', row) ? words[1] : words[0]));
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
      else if (key === 'm') done = press(row && (current > 0 ? one('button[form=seen]', row) : one('#seen button')));
      else if (key === 'R') done = act(['run']);
      else if (key === 'p') done = act(['pause', 'resume']);
      else if (key === '/') { const f = one('.find input'); if (f) f.focus(); }
      else if (key === '?') location.assign('/about');
      else done = false;
      afterG = false;
      if (done) event.preventDefault();
    });
    })();

    """#
}
