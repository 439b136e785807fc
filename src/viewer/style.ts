import { viewer_limits } from "./limits.ts";

const colours = Array.from({ length: viewer_limits.colours_max }, (_, i) => {
  const hue = Math.round((360 / viewer_limits.colours_max) * ((i * 5) % viewer_limits.colours_max));
  return `.c${i}{background:light-dark(hsl(${hue} 70% 85%),hsl(${hue} 45% 28%))}`;
});

/** The style of a report: light and dark, narrow and wide, on paper. */
export const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;background:Canvas;color:CanvasText}
h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.1rem}figure,table.values{margin:1.2rem 0}figcaption,caption{font-weight:600;text-align:left}
table{border-collapse:collapse}td,th{border:1px solid light-dark(#ccc,#555);padding:.15rem .5rem;text-align:right}
table.values td{text-align:left;overflow-wrap:anywhere}textarea{display:block;width:100%;box-sizing:border-box}th{overflow-wrap:anywhere;font-weight:400;color:light-dark(#555,#aaa)}
.wide,pre{overflow-x:auto}pre{background:light-dark(#f4f4f4,#222);padding:.5rem}
.verdict{font-size:1.6rem;font-weight:700}.sat{color:light-dark(#0a6b2d,#6fd08c)}.unsat{color:light-dark(#a01818,#ff9a9a)}
.note{color:light-dark(#555,#aaa)}mark{background:light-dark(#ffd6d6,#6b1f1f);color:inherit}
.bar{fill:light-dark(#3b6fb6,#7fa8e0)}svg{display:block;border-left:1px solid;border-bottom:1px solid}
${colours.join("")}
button{font:inherit;padding:.2rem .7rem}
@media print{:root{color-scheme:light!important}details,.buttons{display:none}}`;
