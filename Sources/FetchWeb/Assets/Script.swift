/// The script of the page, at most 10 KB. Every view and every action works without it.
///
/// It shows times in the reader's zone, and adds keys. It changes nodes
/// with `textContent` and `setAttribute` alone, which is all that the page's policy allows.
enum Script {
  static let text: StaticString = #"""
    'use strict';
    (() => {
    const all = (q, from) => Array.from((from || document).querySelectorAll(q));
    const one = (q, from) => (from || document).querySelector(q);

    // Times in the reader's zone.
    const day = 86400000;
    const today = () => new Date(performance.timeOrigin + performance.now());
    const clock = new Intl.DateTimeFormat([], {hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
    const week = new Intl.DateTimeFormat([], {weekday: 'short'});
    const date = new Intl.DateTimeFormat([], {day: 'numeric', month: 'short'});
    const full = new Intl.DateTimeFormat([], {dateStyle: 'full', timeStyle: 'long'});
    const midnight = t => new Date(t.getFullYear(), t.getMonth(), t.getDate()).getTime();
    const shown = t => {
      const away = Math.abs(Math.round((midnight(t) - midnight(today())) / day));
      if (away === 0) return clock.format(t);
      if (away < 7) return week.format(t) + ' ' + clock.format(t);
      if (t.getFullYear() !== today().getFullYear()) return date.format(t) + ' ' + t.getFullYear();
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
    const note = one('footer span:last-child');
    if (note) note.textContent = 'Times are in your time zone';
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
    const rows = all('table.jobs tbody tr, ol.items > li:not(.here), table.runs tbody tr');
    let current = -1, afterG = false;
    const move = step => {
      if (!rows.length) return;
      if (rows[current]) rows[current].classList.remove('current');
      current = Math.max(0, Math.min(rows.length - 1, current + step));
      rows[current].classList.add('current');
      const link = one('a', rows[current]);
      if (link) link.focus();
    };
    const press = selector => { const it = one(selector); if (it) it.click(); return Boolean(it); };
    const go = selector => { const it = one(selector); if (it) location.assign(it.href); return Boolean(it); };
    document.addEventListener('keydown', event => {
      if (stored('keys') === 'off' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      const key = event.key;
      let done = true;
      if (afterG && places[key]) location.assign(places[key]);
      else if (key === 'g') { afterG = true; setTimeout(() => { afterG = false; }, 1500); return; }
      else if (key === 'j') move(1);
      else if (key === 'k') move(-1);
      else if (key === 'o' && rows[current]) { const a = one('a', rows[current]); if (a) location.assign(a.href); }
      else if (key === 'v') { const a = one('.original a', rows[current] || document); if (a) location.assign(a.href); }
      else if (key === '[') done = go('a[rel=prev]');
      else if (key === ']') done = go('.versions a[rel=next]');
      else if (key === 'm') done = press('form[action="/items/seen"] button');
      else if (key === 'R') done = press('form[action$="/run"] button');
      else if (key === 'p') done = press('.heading form[action$="/pause"] button, .heading form[action$="/resume"] button');
      else if (key === '/') { const f = one('.find input'); if (f) f.focus(); }
      else if (key === '?') location.assign('/about');
      else done = false;
      afterG = false;
      if (done) event.preventDefault();
    });
    })();

    """#
}
