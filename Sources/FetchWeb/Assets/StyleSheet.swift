/// The style sheet of the pages.
///
/// All colours have names, with one value for light and one for dark pages. On `--bg` and `--panel`
/// of a screen, both values keep a contrast of at least 4.5 to 1 for text, and 3 to 1 for the marks
/// of runs and the borders of fields (WCAG 2.2, 1.4.3 and 1.4.11). Buttons and text fields are at
/// least 24 pixels high (2.5.8).
enum StyleSheet {
  static let text: StaticString = #"""
    :root{color-scheme:light dark;--bg:#f7f7f4;--panel:#fff;--ink:#17201d;--quiet:#56625d;
    --line:#dfe3de;--soft:#eef0ec;--accent:#0b6b62;--on-accent:#fff;--tint:#e2f1ee;--news:#0a766b;
    --idle:#7d8a85;--bad:#b3261e;--bad-tint:#fbeae8;--warn:#855300;--warn-tint:#fdf1dc;
    --plan:#6b7974;--axis:#d4d9d4;--future:#f3f5f1;--field:#7d8a85;--ins:#dcf3e4;--del:#fbe3e0;--shadow:0 1px 2px #17201d14}
    @media (prefers-color-scheme:dark){:root{--bg:#101413;--panel:#171c1a;--ink:#e6ece9;
    --quiet:#9baaa4;--line:#29312e;--soft:#1f2623;--accent:#6ad6c6;--on-accent:#04211d;
    --tint:#12302b;--news:#5ccdbd;--idle:#6f7d78;--bad:#ff8b7e;--bad-tint:#34191a;--warn:#efbb62;
    --warn-tint:#30250f;--plan:#93a19b;--axis:#323b38;--future:#1c2220;--field:#6f7d78;--ins:#123524;--del:#3d1d1c;--shadow:none}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--bg);color:var(--ink);
    font:15px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
    font-variant-numeric:tabular-nums;display:flex;flex-direction:column;min-height:100vh}
    a{color:var(--accent);text-decoration:none}
    a:hover{text-decoration:underline;text-underline-offset:3px}
    :focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
    code,pre,kbd{font:13px/1.55 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
    code{overflow-wrap:anywhere}
    .narrow{display:none}
    .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
    white-space:nowrap}
    .skip{position:absolute;left:-999px;top:8px;background:var(--panel);padding:8px 14px;z-index:2;
    border-radius:6px}
    .skip:focus{left:12px}
    main:focus{outline:none}
    .quiet{color:var(--quiet)}
    .bar{display:flex;align-items:center;gap:4px 22px;flex-wrap:wrap;background:var(--panel);
    border-bottom:1px solid var(--line);padding:0 max(24px,calc((100% - 1180px)/2));min-height:54px}
    .brand{display:inline-flex;align-items:center;gap:8px;font-weight:700;font-size:16px;
    letter-spacing:-.01em;color:var(--ink)}
    .brand:hover{text-decoration:none}
    .mark{width:24px;height:24px;fill:none;stroke:var(--accent);stroke-width:3.5;
    stroke-linecap:round}
    .mark .quiet{stroke:var(--idle)}
    .bar nav{display:flex;flex-wrap:wrap;gap:0 2px;flex:1}
    .bar nav a{color:var(--quiet);padding:16px 10px 13px;border-bottom:2px solid transparent;
    white-space:nowrap}
    .bar nav a:hover{color:var(--ink);text-decoration:none}
    .bar nav a[aria-current]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}
    .count{display:inline-block;min-width:20px;padding:0 6px;border-radius:10px;text-align:center;
    background:var(--tint);color:var(--accent);font-size:12px;line-height:20px;font-weight:650}
    input:not([type]),input[type=search],input[type=text]{font:inherit;color:inherit;height:34px;
    padding:0 12px;border:1px solid var(--field);border-radius:8px;background:var(--bg);width:190px}
    ::placeholder{color:var(--quiet);opacity:1}
    .help{display:inline-flex;width:30px;height:30px;align-items:center;justify-content:center;
    border:1px solid var(--line);border-radius:50%;color:var(--quiet);font-weight:600}
    main{flex:1;width:100%;max-width:1228px;margin:0 auto;padding:26px 24px 48px}
    footer{display:flex;justify-content:space-between;gap:16px;color:var(--quiet);font-size:13px;
    border-top:1px solid var(--line);padding:14px max(24px,calc((100% - 1180px)/2))}
    h1{font-size:27px;line-height:1.2;font-weight:680;letter-spacing:-.018em;margin:0;
    overflow-wrap:anywhere}
    h2{font-size:15px;font-weight:650;margin:0 0 10px;scroll-margin-top:16px}
    h2.sub{margin:22px 0 8px;font-size:14px;color:var(--quiet);font-weight:600}
    section{margin-top:30px}
    .heading{display:flex;align-items:baseline;flex-wrap:wrap;gap:6px 18px;margin-bottom:18px}
    .heading h1{margin-right:auto}
    .heading .facts{flex-basis:auto}
    .facts{margin:0;color:var(--quiet);font-size:14px}
    main p a:not(.button){text-decoration:underline;text-underline-offset:3px}
    .toolbar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;
    gap:6px 18px;margin-bottom:8px}
    .toolbar h2{margin:0}
    .toolbar>a,.strip .lanes{display:inline-block;min-height:24px}
    .filters{display:flex;flex-wrap:wrap;gap:2px;background:var(--soft);border-radius:9px;
    padding:3px;font-size:14px}
    .filters a{color:var(--quiet);padding:2px 11px;border-radius:7px;min-height:26px}
    .filters a:hover{color:var(--ink);text-decoration:none}
    .filters a[aria-current]{background:var(--panel);color:var(--ink);font-weight:600;
    box-shadow:var(--shadow)}
    button,.button{display:inline-flex;align-items:center;font:inherit;font-size:14px;
    font-weight:600;line-height:1;min-height:32px;padding:0 13px;border:1px solid var(--line);
    border-radius:8px;background:var(--panel);color:var(--ink);cursor:pointer;white-space:nowrap}
    button:hover,.button:hover{border-color:var(--quiet);text-decoration:none}
    button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
    button.primary:hover{filter:brightness(1.1)}
    button.plain,.button.plain{background:none;border-color:transparent;color:var(--accent)}
    button.plain:hover,.button.plain:hover{background:var(--soft)}
    button.danger{background:none;border-color:transparent;color:var(--bad)}
    button.danger:hover{background:var(--bad-tint)}
    form.action{display:inline-flex;margin:0}
    button.upto{float:right;min-height:24px;font-size:13px;font-weight:400;padding:0 6px;opacity:0}
    li:hover .upto,li.current .upto,.upto:focus-visible{opacity:1}
    @media (hover:none){button.upto{opacity:1;color:var(--quiet)}}
    .notice::before{content:"✓";margin-right:9px;color:var(--accent);font-weight:700}
    .trouble::before{content:"!";margin-right:10px;color:var(--warn);font-weight:800}
    .notice,.trouble{margin:0 0 18px;padding:10px 14px;border-radius:9px;background:var(--tint)}
    .trouble{background:var(--warn-tint)}
    .attention{list-style:none;margin:0;padding:0;background:var(--panel);
    border:1px solid var(--line);border-radius:12px;overflow:hidden;box-shadow:var(--shadow)}
    .attention li{display:grid;grid-template-columns:minmax(110px,180px) 1fr auto;gap:4px 18px;
    align-items:center;padding:10px 12px 10px 15px;border-left:4px solid var(--bad)}
    .attention li+li{border-top:1px solid var(--line)}
    .attention .who{font-weight:650;overflow-wrap:anywhere}
    .attention .why{overflow-wrap:anywhere}
    .attention .review{border-left-color:var(--warn)}
    .attention .more{border-left-color:transparent;display:block}
    .buttons{display:flex;gap:4px;justify-content:flex-end}
    td .buttons,td.buttons{white-space:nowrap;text-align:right;display:table-cell}
    table{width:100%;border-collapse:separate;border-spacing:0;background:var(--panel);
    border:1px solid var(--line);border-radius:12px;box-shadow:var(--shadow)}
    th,td{text-align:left;vertical-align:middle;padding:8px 12px;font-weight:400}
    thead th,thead th.name,thead th.hook{font-weight:400}
    thead th{font-size:13px;color:var(--quiet);padding-top:9px;padding-bottom:7px;
    white-space:nowrap}
    tbody th,tbody td{border-top:1px solid var(--line)}
    tbody tr:hover{background:color-mix(in srgb,var(--soft) 55%,transparent)}
    tbody tr:last-child>:first-child{border-bottom-left-radius:12px}
    tbody tr:last-child>:last-child{border-bottom-right-radius:12px}
    th.name,td.name{font-weight:600;overflow-wrap:anywhere;min-width:9em}
    th.hook{font-weight:600}
    th.file{overflow-wrap:anywhere;min-width:15em}td.meter{min-width:17em}
    .number{text-align:right;white-space:nowrap}
    .next{white-space:nowrap}
    .why,.result{overflow-wrap:anywhere}
    td .why{color:var(--quiet)}
    tr.current,.attention li.current{background:var(--tint);box-shadow:inset 3px 0 var(--accent)}
    .jobs{table-layout:fixed}
    .jobs .name{width:22%}.jobs .status{width:128px}.jobs .next{width:100px}
    .jobs .number{width:104px}
    .jobs td{padding-top:5px;padding-bottom:5px}
    .jobs td.plot,.jobs th.plot{padding-left:4px;padding-right:4px}
    .job{color:inherit}
    .state,.outcome,.change{white-space:nowrap}
    .state::before,.outcome::before{content:"";display:inline-block;width:8px;height:8px;
    margin-right:7px;border-radius:50%;background:var(--idle);vertical-align:1px}
    .state.running::before,.state.ok::before,.outcome.newData::before,.state.done::before{background:var(--news)}
    .state.backOff::before,.state.down::before,.outcome.failed::before,.state.dead::before,.state.failed::before{
    background:var(--bad);border-radius:1px}
    .state.waiting::before,.state.degraded::before,.state.pending::before,.state.queued::before{background:var(--warn)}
    .state.paused::before,.state.disabled::before,.state.idle::before{background:none;
    box-shadow:inset 0 0 0 2px var(--idle)}
    .state.backOff,.outcome.failed,.state.dead,.state.failed{color:var(--bad)}
    .outcome.newData{color:var(--news);font-weight:600}
    .failures{color:var(--bad);font-size:13px}
    .added{color:var(--news)}.updated{color:var(--warn)}.removed{color:var(--bad)}
    .change{font-size:13px}
    .change.added{color:var(--news)}.change.updated{color:var(--warn)}.change.removed{color:var(--bad)}
    .timeline{display:block;width:100%;height:25px;border-bottom:1px solid var(--axis);fill:none;
    stroke-width:2;background:linear-gradient(90deg,transparent 75%,var(--future) 75%)}
    .week .timeline{background:linear-gradient(90deg,transparent 85.71%,var(--future) 85.71%)}
    .timeline path{vector-effect:non-scaling-stroke}
    .timeline .now{stroke:var(--ink);stroke-width:1;stroke-dasharray:2 2}
    .timeline .noData{stroke:var(--idle)}
    .timeline .newData{stroke:var(--news);stroke-width:3}
    .timeline .failed{stroke:var(--bad);stroke-width:3}
    .timeline .planned{stroke:var(--plan);stroke-width:1}
    .scale{display:block;width:100%;height:14px;overflow:visible}
    .scale text{fill:var(--quiet);font-size:11.5px;text-anchor:middle}
    .legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:9px 2px;color:var(--quiet);
    font-size:13px}
    .legend span{display:inline-flex;align-items:center;gap:4px}
    .timeline.key{width:12px;height:20px;border:0;background:none}
    .legend .future::before{content:"";width:14px;height:14px;background:var(--future);
    border:1px solid var(--axis);border-radius:3px}
    .plots{display:grid;grid-template-columns:minmax(0,1.7fr) minmax(260px,1fr);gap:0 30px}
    .plots>section:only-child{grid-column:1/-1}
    .bigplot{background:var(--panel);border:1px solid var(--line);border-radius:12px;
    padding:16px 14px 8px}
    .bigplot .timeline{height:64px}
    .stats{display:grid;grid-template-columns:repeat(auto-fit,minmax(104px,1fr));gap:1px;margin:0;
    background:var(--line);border:1px solid var(--line);border-radius:12px;overflow:hidden}
    .stats div{background:var(--panel);padding:10px 14px;display:flex;
    flex-direction:column-reverse;justify-content:flex-end}
    .stats dt{color:var(--quiet);font-size:12.5px}
    .stats dd{margin:0;font-size:18px;font-weight:650;letter-spacing:-.01em;white-space:nowrap}
    .contents{display:flex;flex-wrap:wrap;gap:2px 18px;margin-top:30px;padding-bottom:6px;
    border-bottom:1px solid var(--line);font-size:14px}
    .contents a{display:inline-block;min-height:24px}
    .contents+section{margin-top:20px}
    .panel{background:var(--panel);border:1px solid var(--line);border-radius:12px;
    padding:12px 18px}
    .halves{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr));
    gap:0 30px;align-items:start}
    .halves pre{margin-top:6px}.halves .facts{margin-top:12px}
    .checks li{display:grid;grid-template-columns:minmax(120px,auto) 1fr;gap:14px}
    .checks .why{color:var(--quiet)}.checks .down .why,.checks .degraded .why{color:inherit}
    .switch{display:inline-flex;align-items:center;gap:8px;min-height:24px}
    .switch input{width:18px;height:18px;margin:0;accent-color:var(--accent)}
    .panel>p:first-child{margin-top:0}
    .delays{box-shadow:none}.delays th,.delays td{border:0;padding:3px 12px}
    .delays tr:first-child>*{padding-top:10px}.delays tr:last-child>*{padding-bottom:10px}
    .delays th{white-space:nowrap;color:var(--quiet);width:1%}
    .bar:not(header){display:block;width:100%;height:10px;fill:none}
    svg.bar{min-height:0;padding:0;border:0;background:none}
    svg.bar path{stroke:var(--news);stroke-width:10;vector-effect:non-scaling-stroke}
    .strip{display:flex;flex-wrap:wrap;align-items:center;gap:8px 30px;padding:12px 16px;
    background:var(--panel);border:1px solid var(--line);border-radius:12px;font-size:14px}
    .gauge{display:inline-flex;align-items:center;gap:9px}
    .strip .lanes{margin-left:auto;color:var(--warn)}
    meter,progress{width:110px;height:10px;border:0;border-radius:5px;overflow:hidden;
    background:var(--axis);appearance:none;-webkit-appearance:none;vertical-align:0;
    display:inline-block}
    meter::-webkit-meter-bar{height:10px;border:0;border-radius:5px;background:var(--axis)}
    meter::-webkit-meter-optimum-value{background:var(--news)}
    meter::-webkit-meter-suboptimum-value{background:var(--warn)}
    meter::-webkit-meter-even-less-good-value{background:var(--bad)}
    meter::-moz-meter-bar{background:var(--news)}
    progress::-webkit-progress-bar{background:var(--axis);border-radius:5px}
    progress::-webkit-progress-value{background:var(--news);border-radius:5px}
    progress::-moz-progress-bar{background:var(--news)}
    .ledger td.meter{width:34%}.ledger meter{width:100%}
    .explain p{margin:0 0 4px;font-size:16px;max-width:78ch}
    .gates{list-style:none;display:flex;flex-wrap:wrap;gap:7px;margin:14px 0 0;padding:0;
    font-size:14px}
    .gates li{padding:2px 11px;border-radius:14px;background:var(--soft);color:var(--quiet)}
    .gates .open span:first-child{color:var(--news)}
    .gates .closed{background:var(--warn-tint);color:var(--warn);font-weight:600}
    .gates .closed .why{font-weight:400}
    .items{list-style:none;margin:0;padding:0;background:var(--panel);border:1px solid var(--line);
    border-radius:12px;box-shadow:var(--shadow)}
    .items>li{padding:11px 16px 11px 34px;position:relative}
    .items.read>li{padding-left:16px}
    .items>li+li{border-top:1px solid var(--line)}
    .items>li.new::before{content:"";position:absolute;left:15px;top:19px;width:8px;height:8px;
    border-radius:50%;background:var(--accent)}
    .items .facts{display:flow-root}
    .items .title{color:inherit;overflow-wrap:anywhere;display:inline-block;min-height:24px}
    .items .new .title{font-weight:620}
    .items>li.current{box-shadow:inset 3px 0 var(--accent)}
    .items .here{padding:0;text-align:center;font-size:13px;color:var(--accent);border-top:0;
    display:flex;align-items:center}
    .items .here::before,.items .here::after{content:"";flex:1;border-top:2px solid var(--accent)}
    .items .here span{padding:2px 12px}
    .difference,pre{margin:10px 0 0;padding:10px 12px;border-radius:9px;background:var(--soft);
    overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
    .difference{padding:6px 0}
    .difference>*{display:block;padding:0 12px;text-decoration:none}
    .difference ins{background:var(--ins)}.difference del{background:var(--del)}
    .difference .place{color:var(--quiet)}
    .failure+.fields{margin-top:18px}.failure .action{margin-top:12px}
    .fields{display:grid;grid-template-columns:minmax(90px,auto) 1fr;gap:7px 22px;margin:0;
    background:var(--panel);border:1px solid var(--line);border-radius:12px;padding:16px 18px}
    .fields dt{color:var(--quiet)}
    .fields dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;max-width:78ch}
    .keys{display:grid;grid-template-columns:80px 1fr;gap:7px;margin:0}.keys dd{margin:0}
    .keys dt{display:flex;gap:4px}
    kbd{border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;padding:0 6px;
    background:var(--panel)}
    .versions{display:flex;gap:18px;align-items:center}
    .versions a{min-height:24px}
    .failure{background:var(--panel);border:1px solid var(--line);border-left:4px solid var(--bad);
    border-radius:12px;padding:14px 18px}
    .failure.held{border-left-color:var(--warn)}
    .failure p{margin:0 0 8px;overflow-wrap:anywhere}
    .plain{margin:0;padding:0}.plain.panel{padding:10px 18px}ul.plain,ol.plain{list-style:none}.plain li{padding:3px 0}
    .plain li a{display:inline-block;min-height:24px}
    .empty{color:var(--quiet);background:var(--panel);border:1px dashed var(--line);
    border-radius:12px;padding:26px;text-align:center;margin:0}
    .welcome{background:var(--panel);border:1px solid var(--line);border-radius:12px;
    padding:20px 24px}
    .welcome>:first-child{margin-top:0}.welcome>:last-child{margin-bottom:0}
    .pager{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 20px;
    margin:10px 2px;color:var(--quiet);font-size:14px}
    .pager a{display:inline-block;min-width:24px;min-height:24px;font-weight:600}
    .sizes{display:flex;gap:4px 10px;margin-left:auto}
    .sizes a{text-align:center;font-weight:400}
    .sizes a[aria-current]{color:var(--ink);font-weight:600}
    .login main{max-width:460px;padding-top:12vh}
    .login form{display:grid;gap:8px;margin-top:22px;justify-items:start}
    .login input{width:100%}.login h1{margin:14px 0}
    @media (max-width:720px){
    body{font-size:16px}
    main{padding:18px 14px 40px}
    .bar{padding:8px 14px 0;gap:4px 12px}
    .bar nav{order:3;flex-basis:100%;display:grid;grid-template-columns:1fr 1fr 1fr;gap:0 6px}
    .bar nav a{padding:6px 1px 5px;font-size:15px}
    .bar nav a:nth-child(3n+2){text-align:center}.bar nav a:nth-child(3n){text-align:right}
    .count{min-width:16px;padding:0 5px;line-height:17px;font-size:11.5px}
    .find{margin-left:auto}.find input{width:150px}
    footer{padding:14px}
    h1{font-size:24px}
    .heading h1{flex-basis:100%}
    .attention li{grid-template-columns:1fr auto}
    .attention .why{grid-column:1/-1;grid-row:2;font-size:15px}
    .items .upto{float:none;padding:0;min-height:24px}
    .items .upto::before{content:"·";margin:0 5px 0 2px}
    .narrow{display:inline;color:var(--quiet)}
    .jobs .status,.jobs .number,.wide,.queue tbody .wide,.strip .quiet,.next:empty{display:none}
    .jobs .name{width:33%}.jobs .next{width:88px;padding-left:6px;padding-right:6px}.jobs td.next{font-size:14px}
    .timeline .noData,.timeline .newData,.timeline .failed{stroke-width:1.6}
    th,td{padding:8px 9px}thead th{white-space:normal}
    .queue thead{display:none}
    .queue tr{display:block;padding:9px 4px;border-top:1px solid var(--line)}
    .queue tr:first-child{border-top:0}
    .queue tbody th,.queue tbody td{display:inline-block;border:0;padding:2px 8px}
    .queue td.buttons{display:block;text-align:left}
    .queue td.buttons .danger{margin-left:-13px}
    .queue td.buttons form+form .danger{margin-left:0}
    .queue td.why{display:block}.queue td:empty{display:none}
    th.name,td.name,th.file,td.meter{min-width:0}
    .runs thead{display:none}.runs tr{display:grid;grid-template-columns:auto 1fr auto;padding:8px 4px}
    .runs tbody tr+tr{border-top:1px solid var(--line)}
    .runs tbody td{border:0;padding:1px 8px}.runs td.result{grid-row:2;grid-column:1/-1}
    .runs td.name+.result~.number{grid-row:1;grid-column:3}
    .plots{grid-template-columns:minmax(0,1fr)}
    .scale .minor,.scale .half{display:none}
    .checks li{grid-template-columns:1fr;gap:0}
    .stats{grid-template-columns:1fr 1fr 1fr}.stats div{padding:9px 11px}
    .stats dd{font-size:16px}
    .fields{grid-template-columns:1fr;gap:2px}.fields dd{margin-bottom:9px}
    .strip{gap:8px}.gauge{flex-basis:100%}.gauge .label{flex:1}
    .filters{width:100%}.filters a{flex:1;text-align:center;padding:2px 4px}
    }
    @media (prefers-reduced-motion:no-preference){button,.button,.filters a{
    transition:background-color .12s,border-color .12s}}
    @media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important;
    scroll-behavior:auto!important}}
    @media print{.bar nav,.find,.help,.skip,form,.button,button,.filters,.pager,.contents,footer{
    display:none}
    :root{--bg:#fff;--panel:#fff;--ink:#000;--quiet:#444;--line:#bbb;--soft:#fff;--axis:#999;
    --future:#fff}
    body{font-size:11pt}main{max-width:none;padding:0}.bar{padding:0;border:0;min-height:0}
    table,.attention,.items{box-shadow:none}
    tr,.items>li,.attention li,.bigplot{break-inside:avoid}h2{break-after:avoid}
    .original a::after{content:" (" attr(href) ")";overflow-wrap:anywhere}
    .timeline,meter,progress,.state::before,.outcome::before{print-color-adjust:exact}}

    """#
}
