import { viewer_limits } from "./limits.ts";

/** Colours that differ in hue and, if adjacent, in lightness: pale ones for use behind text, strong ones for lines. */
const colours = Array.from({ length: viewer_limits.colours_max }, (_, i) => {
  const hue = (212 + Math.round((360 / viewer_limits.colours_max) * ((i * 5) % viewer_limits.colours_max))) % 360;
  const [light, dark] = i % 2 === 0 ? [80, 32] : [86, 26];
  return `.c${i}{--pale:light-dark(hsl(${hue} 72% ${light}%),hsl(${hue} 42% ${dark}%));--strong:light-dark(hsl(${hue} 65% 38%),hsl(${hue} 60% 70%))}`;
});

/** The style sheet for a report: light and dark, narrow and wide, and for printing. */
export const style = `:root{color-scheme:light dark;--soft:light-dark(#5c6370,#a3abb8);--rule:light-dark(#e3e6eb,#3a3f48);--sheet:light-dark(#f6f7f9,#22252b)}
body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;max-width:56rem;margin:0 auto;padding:1rem;background:light-dark(#fff,#181a1f);color:light-dark(#1b1f27,#e6e8ec)}
h1{font-size:1.3rem;margin:.2rem 0 .6rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:1.4rem 0 .4rem}
figure{margin:1.2rem 0}figcaption,caption{font-weight:600;text-align:left;margin-bottom:.5rem;overflow-wrap:anywhere}small{font-weight:400;color:var(--soft)}
table{border-collapse:collapse}td,th{border:1px solid var(--rule);padding:.2rem .55rem;text-align:right}th{overflow-wrap:anywhere;font-weight:400;color:var(--soft)}
table.values td,table.values th,table.rows td,table.rows th{text-align:left;overflow-wrap:anywhere}table.values{margin:1.2rem 0}
td[class^=c]{background:var(--pale)}table.grid td{min-width:1.1rem;text-align:center}table.grid th{overflow-wrap:normal}th[scope=row],td.corner{white-space:nowrap}
table.boxes{border:2px solid;font-size:1.1rem}table.boxes td{width:2rem;height:2rem;padding:0}table.boxes colgroup{border-left:2px solid}tr.box{border-top:2px solid}
table.queens td,table.squares td{width:1.9rem;height:1.9rem;min-width:0;padding:0}table.queens td{font-size:1.35rem;line-height:1}
table.queens tr:nth-child(odd) td:nth-child(even),table.queens tr:nth-child(even) td:nth-child(odd){background:var(--sheet)}
table.squares td{width:1.5rem;height:1.5rem}table.squares td.on{background:currentColor}table.squares th{font-variant-numeric:tabular-nums;white-space:nowrap;vertical-align:bottom;line-height:1.15;font-size:.85rem}table.squares td.corner{border:0}
.hidden_text{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.dead{color:light-dark(#9aa1ac,#767d88)}span.dead:not(.said){text-decoration:line-through}.path:not(.said){background:light-dark(#dbe9fd,#1f3558)}.raises:not(.said){background:light-dark(#ffd9d9,#6b2222)}.said{color:var(--soft);font-style:italic}code{font:13px/1.4 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace}
.again{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:.6rem 0}.again[hidden]{display:none}.again label{display:grid;font-size:.9rem;color:var(--soft);max-width:100%}.again input{font:inherit;padding:.25rem .5rem;max-width:100%;box-sizing:border-box;border:1px solid var(--soft);border-radius:6px;background:transparent;color:light-dark(#1b1f27,#e6e8ec)}
.wide,pre{overflow-x:auto}.tall{max-height:42rem;overflow:auto}.tall caption{white-space:nowrap}pre{background:var(--sheet);border-radius:6px;padding:.6rem .8rem;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace}
.verdict{display:inline-block;font-size:1.15rem;font-weight:700;margin:0 0 .3rem;padding:.1rem .8rem;border-radius:99px;background:var(--sheet);overflow-wrap:anywhere}
.good{color:light-dark(#0a5d28,#86dba1);background:light-dark(#dff3e5,#163824)}.sat{color:light-dark(#114a8c,#9cc7ff);background:light-dark(#e0edfb,#173150)}.unsat{color:light-dark(#961616,#ffaaaa);background:light-dark(#fbe3e3,#471d1d)}
.note,summary{color:var(--soft);font-size:.9rem}.note{margin:.3rem 0}summary{cursor:pointer;padding:.1rem 0}mark{background:light-dark(#ffd9d9,#6b2222);color:inherit}
textarea{display:block;width:100%;box-sizing:border-box}
svg{display:block;overflow:visible}svg svg{overflow:hidden}svg text{fill:currentColor;font-size:12px}svg.graph{width:100%;max-width:40rem;height:auto}
.fill,.vertex{fill:var(--pale)}.fill{stroke:var(--strong);stroke-width:1;stroke-opacity:.45}.plot{display:flex;gap:.6rem;align-items:flex-start}.plot svg{flex:1;min-width:0}
.names{max-width:38%;font-size:.85rem;text-align:right;flex:none}.names div{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.rule{stroke:var(--rule)}.axis{stroke:var(--soft)}svg .tick{fill:var(--soft);font-size:11px}svg .halo{paint-order:stroke;stroke:light-dark(#fff,#181a1f);stroke-width:3px}
.edge{stroke:var(--strong,var(--soft));stroke-width:2;fill:none}.head{fill:var(--strong,var(--soft));stroke:none}.bound{fill:none;stroke:light-dark(#0a6b2d,#6fd08c);stroke-dasharray:5 4}.faint{stroke-width:1;stroke:var(--rule)}
.vertex{stroke:var(--strong,var(--soft));stroke-width:1.5;fill:var(--pale,light-dark(#fff,#2a2e36))}
.moved{box-shadow:inset 0 0 0 2px light-dark(#b45f06,#f0a94b)}.moved s{opacity:.75}td.bad,.broken li{color:light-dark(#961616,#ffaaaa)}.broken{padding-left:1.1rem}td input{font:inherit;width:5em;max-width:100%;box-sizing:border-box;background:transparent;color:inherit;border:1px solid var(--soft);border-radius:4px}
.legend{list-style:none;padding:0;margin:.4rem 0;font-size:.9rem}.key{display:inline-block;width:.8rem;height:.8rem;border-radius:3px;background:var(--pale);border:1px solid var(--strong);vertical-align:-.05rem}
${colours.join("")}
button{font:inherit;padding:.3rem .9rem;border:1px solid var(--soft);border-radius:6px;background:var(--sheet);color:inherit;cursor:pointer}
:focus-visible{outline:2px solid light-dark(#1c5fd0,#8ab4ff);outline-offset:2px}
@media print{.tall{max-height:none}:root{color-scheme:light!important}details,.buttons,.again{display:none}figure{break-inside:avoid}*{print-color-adjust:exact}}`;
