import { version } from "../version.ts";
import { answerHtml, type Report } from "./answer.ts";
import { html } from "./html.ts";
import { style } from "./style.ts";

/**
 * Builds a page that shows an answer, as a single file without scripts or network resources. The answer's contents
 * appear only as text.
 */
export function reportHtml(report: Report): string {
  const page = html`<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${report.title}</title><style>`;
  const body = html`<body><main>${answerHtml(report)}</main>
<footer class="note">Verdict ${version}</footer></body></html>`;
  return `<!doctype html>\n${page.text}${style}</style></head>\n${body.text}\n`;
}
