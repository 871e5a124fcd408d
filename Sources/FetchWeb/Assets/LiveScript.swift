/// The part of the script that keeps the lists of a visible page up to date.
///
/// The script keeps one stream of events open, and only while the page is visible, because browsers
/// open at most six connections to a host. In the table of jobs, the events say which rows are
/// outdated. The script requests the page again and copies these rows, so it needs no code that
/// renders rows. `XMLHttpRequest` parses the new page, because a document that it parses runs no
/// script. The page's content security policy allows this way of parsing.
///
/// Nothing on the page moves by itself: only the text of the heading and the cells of rows change,
/// and a button appears that loads the page again. A row never changes while the focus is in it.
enum LiveScript {
  static let text: StaticString = #"""
    (() => {
    const all = (q, from) => Array.from((from || document).querySelectorAll(q));
    const one = (q, from) => (from || document).querySelector(q);
    const table = one('table.jobs'), list = one('ol.items, table.runs, #live');
    if (!table && !list) return;
    const path = /^\/jobs\/([^/]+)$/.exec(location.pathname);
    const job = path ? decodeURIComponent(path[1]) : new URLSearchParams(location.search).get('job');
    const kinds = table ? (all('tbody tr', table).length < 100 ? 'run,state' : 'run')
      : location.pathname === '/items' ? 'item' : 'run';
    let source = null, cursor = '', button = null, count = 0;
    let busy = false, timer = 0, pause = 1000;
    const old = new Set();

    // Shows a button such as "4 new". New entries appear only after the user has pressed the
    // button, because nothing on the page may move by itself.
    const offer = text => {
      if (!button) {
        button = document.createElement('button');
        button.setAttribute('type', 'button');
        button.setAttribute('id', 'fresh');
        button.setAttribute('class', 'plain');
        button.addEventListener('click', () => location.reload());
        (one('.heading') || one('main')).append(button);
      }
      button.textContent = text;
    };

    // Updates the outdated rows and the heading, at most once a second, and less often if the
    // server is slow.
    const rowOf = name => all('tr[data-job]', table).find(row => row.getAttribute('data-job') === name);
    const update = page => {
      for (const next of all('tr[data-job]', page)) {
        const name = next.getAttribute('data-job'), row = old.has(name) && rowOf(name);
        if (!row || row.contains(document.activeElement)) continue;
        old.delete(name);
        const copy = document.importNode(next, true);
        document.dispatchEvent(new CustomEvent('rows', {detail: copy}));
        row.replaceChildren(...copy.childNodes);
      }
      for (const name of old) if (!rowOf(name)) old.delete(name);
      const text = q => { const it = [one(q), one(q, page)]; return it.map(n => n ? n.textContent : ''); };
      const [before, after] = text('h1');
      if (before !== after) { one('h1').textContent = after; document.title = page.title; }
      const [shown, present] = text('ul.attention');
      if (shown !== present) offer('Show changes');
    };
    const refresh = () => {
      timer = 0;
      if (busy || document.hidden || !old.size) return;
      busy = true;
      const begun = performance.now(), request = new XMLHttpRequest();
      request.open('GET', location.href);
      request.responseType = 'document';
      request.onloadend = () => {
        busy = false;
        pause = Math.max(1000, 10 * (performance.now() - begun));
        if (request.status === 200 && request.responseXML) update(request.responseXML);
        if (!table.contains(document.activeElement)) schedule();
      };
      request.send();
    };
    const schedule = () => { if (old.size && !timer && !busy) timer = setTimeout(refresh, pause); };
    if (table) table.addEventListener('focusout', schedule);

    const take = event => {
      if (event.lastEventId) cursor = event.lastEventId;
      if (event.type === 'reset') return offer('Show changes');
      if (!table) return offer(++count + ' new');
      const line = JSON.parse(event.data), row = rowOf(line.job);
      const state = row && one('.state', row);
      if (!row || event.type === 'state' && state && state.textContent === line.state) return;
      old.add(line.job);
      schedule();
    };
    const open = () => {
      if (source || document.hidden) return;
      source = new EventSource('/api/v1/events?types=' + kinds
        + (job ? '&job=' + encodeURIComponent(job) : '') + (cursor ? '&since=' + cursor : ''));
      for (const kind of ['item', 'run', 'state', 'reset']) source.addEventListener(kind, take);
      // If the server refuses the stream, a browser does not reconnect by itself.
      source.addEventListener('error', () => {
        if (source && source.readyState === 2) { close(); setTimeout(open, 30000); }
      });
      schedule();
    };
    const close = () => { if (source) source.close(); source = null; };
    document.addEventListener('visibilitychange', () => { if (document.hidden) close(); else open(); });
    addEventListener('pagehide', close);
    addEventListener('pageshow', open);
    open();
    })();

    """#
}
