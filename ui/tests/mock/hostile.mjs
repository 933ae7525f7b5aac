/** Texts that try to become markup, script, style or another order of characters (docs/spec/viewer.md 11.4). */

const fire = 'window.__fired=1';

export const payloads = [
  `<script>${fire}</script>`, `<img src=x onerror="${fire}">`, `<svg onload="${fire}">`, `<svg><script>${fire}</script></svg>`,
  `"><script>${fire}</script>`, `'><img src=x onerror='${fire}'>`, `</title><script>${fire}</script>`, `</textarea><script>${fire}</script>`,
  `</style><script>${fire}</script>`, `</script><script>${fire}</script>`, `<iframe src="javascript:${fire}">`, `<iframe srcdoc="<script>${fire}</script>">`,
  `<a href="javascript:${fire}">x</a>`, `<body onload="${fire}">`, `<details open ontoggle="${fire}">`, `<video><source onerror="${fire}">`,
  `<input autofocus onfocus="${fire}">`, `<select autofocus onfocus="${fire}">`, `<marquee onstart="${fire}">`, `<object data="javascript:${fire}">`,
  `<embed src="javascript:${fire}">`, `<math><mtext><img src=x onerror="${fire}"></mtext></math>`, `<link rel=stylesheet href="http://evil.invalid/x.css">`,
  `<style>@import "http://evil.invalid/x.css";</style>`, `<base href="http://evil.invalid/">`, `<meta http-equiv=refresh content="0;url=http://evil.invalid/">`,
  `<form action="http://evil.invalid/"><button>go</button></form>`, `<img src="http://evil.invalid/pixel.png">`, `<audio src=x onerror="${fire}">`,
  `<template><script>${fire}</script></template>`, `<noscript><p title="</noscript><img src=x onerror=${fire}>">`, `<!--><script>${fire}</script>-->`,
  `<![CDATA[<script>${fire}</script>]]>`, `<xss style="animation-name:x" onanimationstart="${fire}">`, `<p style="background:url(http://evil.invalid/)">`,
  `javascript:${fire}`, `data:text/html,<script>${fire}</script>`, `vbscript:${fire}`, `{{constructor.constructor('${fire}')()}}`, `\${${fire}}`,
  `__proto__`, `constructor`, `toString`, `hasOwnProperty`, `&lt;script&gt;${fire}&lt;/script&gt;`, `&#60;script&#62;${fire}&#60;/script&#62;`,
  `<scr\u0000ipt>${fire}</scr\u0000ipt>`, `<IMG SRC=x OnErRoR="${fire}">`, `<img/src=x/onerror=${fire}>`, `\u202Egnp.exe`, `user\u2066admin\u2069`, `a\u200Bb\u200Dc\uFEFFd`,
  `line one\nline two\r\nthree\ttab`, `\u001b[31mred\u001b[0m`, `'; DROP TABLE slice; --`, `" onmouseover="${fire}`, `x\u2028y\u2029z`, `\uD800 lone`, `%3Cscript%3E${fire}%3C/script%3E`,
  `<portal src="http://evil.invalid/">`, `<a href="http://evil.invalid/" ping="http://evil.invalid/">x</a>`,
];

/** Returns a report with a payload in each text. */
export function hostileReport() {
  let at = 0;
  const text = () => payloads[at++ % payloads.length];
  const placement = (rule) => ({
    file: text(), machine: text(), clock: text(), sequence: null, rule, source: text(), path: `${text()} > ${text()}`, observations: 3, offset_start_ns: '-11524197000000',
    offset_end_ns: '-11524197066668', uncertainty_ns: rule === 'guessed' ? null : '10007867', first_ts: '147757169866', last_ts: '149156403506', placed: 12, lost: 3, lost_no_path: 1,
    lost_ambiguous: 1, lost_out_of_range: 1, before_start: 1,
  });
  const loss = (level) => ({ stat: text(), severity: 'error', level, file: text(), machine: text(), count: 3, description: text(), example: text() });
  return {
    timeline: { clock: text(), machine: text(), start_ts: '147757169866', end_ts: '149156403506', start_utc_ns: '1795176332000169866' },
    placements: [...Array.from({ length: 16 }, () => placement('measured')), placement('guessed'), placement(text()), placement('unplaced')],
    kept: 240, lost: 60,
    other_losses: [{ file: text(), machine: text(), read: 1, built: 2, causes: { [text()]: 3 } }],
    losses: ['lost', 'unpaired', 'repaired', 'noted'].flatMap((level) => [loss(level), loss(level)]),
    broken_flows: [{ from: text(), to: text(), flows: 9, violations: 3, off_by_at_least_ns: 1200, off_by_at_most_ns: null }],
    not_imported: [{ file: text(), what: text(), count: 3, bytes: 1000 }],
    problems: [{ file: text(), message: text() }], lines_up: false, trouble: [text(), text()], command: `tracebraid check ${text()}`,
  };
}
