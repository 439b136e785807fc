import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";
import { scaleLinear } from "d3-scale";
import type { Edge, Graph, Point } from "../figures/figure.ts";
import { type Html, html } from "../html.ts";
import { type Scalar, shown } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import { colourOf, coloursOf, figureHtml, readersTable, restNote } from "./parts.ts";

const [width, height_min, height_max, margin] = [480, 120, 320, 30];

/** The vertices' positions, and the height of the drawing. */
interface Layout {
  readonly places: readonly Point[];
  readonly height: number;
}

/** Draws vertices and edges, placed by coordinates, on a ring, or by a force-directed layout. */
export function graphHtml(figure: Graph): Html {
  const vertices = figure.vertices.slice(0, viewer_limits.vertices_max);
  const edges = figure.edges
    .filter(({ from, to }) => from < vertices.length && to < vertices.length)
    .slice(0, viewer_limits.edges_max);
  const { places, height } = layoutOf({ ...figure, vertices, edges });
  const inside = vertices.every(({ label }) => label.length <= 3);
  const radius = vertices.length > 60 ? 4 : vertices.length > 25 || !inside ? 7 : 13;
  const description = `${figure.title}: ${figure.vertices.length} places, ${figure.edges.length} connections`;
  const lines = edges.toSorted(faintFirst).map((edge) => edgeHtml(edge, places, radius, figure.is_directed));
  const colours = coloursOf(vertices.map(({ colour = null }) => colour));
  const dots = vertices.map(({ label, colour = null }, i) =>
    vertexHtml(label, places[i], { radius, inside }, colours.get(colour)),
  );
  const svg = html`<svg role="img" aria-label="${description}" viewBox="0 0 ${width} ${height}" class="graph">${lines}${dots}</svg>`;
  const notes = html`${restNote(figure.vertices.length, vertices.length, "places")}${restNote(figure.edges.length, edges.length, "connections")}`;
  const where = vertices.every(({ at }) => at)
    ? ""
    : html`<p class="note">The places have no coordinates here: their positions mean nothing.</p>`;
  return figureHtml(figure, html`${svg}${legend(colours, vertices)}${notes}${where}${tables(figure)}`);
}

function tables({ vertices, edges }: Graph): Html {
  const name = (i: number) => vertices[i]?.label ?? "";
  const chosen = edges.some(({ is_faint }) => is_faint);
  const rows = edges.map(({ from, to, label, is_faint }): Scalar[] => [
    ...[name(from), name(to)],
    ...(edges.some((each) => each.label !== undefined) ? [label ?? ""] : []),
    ...(chosen ? [is_faint ? "" : "chosen"] : []),
  ]);
  const heads = [
    "from",
    "to",
    ...(edges.some((each) => each.label !== undefined) ? ["label"] : []),
    ...(chosen ? ["chosen"] : []),
  ];
  return readersTable(heads, rows);
}

/** Lists each colour's value, and the vertices that have this colour. */
function legend(colours: ReadonlyMap<Scalar, number>, vertices: Graph["vertices"]): Html {
  const items = [...colours].map(([value, colour]) => {
    const names = vertices.filter((vertex) => (vertex.colour ?? null) === value).map(({ label }) => label);
    return html`<li><span class="key ${colourOf(colour)}"></span> <b><bdi>${shown(value)}</bdi></b>: <bdi>${names.join(", ")}</bdi></li>`;
  });
  return items.length === 0 ? html`` : html`<ul class="legend">${items}</ul>`;
}

function layoutOf({ vertices, edges, is_ring }: Graph): Layout {
  const positions = vertices.flatMap(({ at }) => at ?? []);
  if (positions.length === vertices.length) return fitToPage(positions.map(({ x, y }) => ({ x, y: -y })));
  if (is_ring) return { places: ring(vertices.length), height: height_max };
  return fitToPage(pushApart(vertices.length, edges));
}

function ring(count: number): readonly Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return {
      x: width / 2 + (width / 2 - margin) * 0.8 * Math.cos(angle),
      y: height_max / 2 + (height_max / 2 - margin) * Math.sin(angle),
    };
  });
}

/**
 * Computes a force-directed layout, in which vertices repel each other and are attracted to their neighbours. It is
 * deterministic.
 */
function pushApart(count: number, edges: readonly Edge[]): readonly Point[] {
  const nodes = Array.from({ length: count }, (): SimulationNodeDatum => ({}));
  const links = edges.map(({ from, to }) => ({ source: from, target: to }));
  forceSimulation(nodes)
    .force("charge", forceManyBody().strength(-300))
    .force("link", forceLink(links).distance(60).strength(0.7))
    .force("x", forceX().strength(0.1))
    .force("y", forceY().strength(0.2))
    .stop()
    .tick(viewer_limits.force_steps);
  return nodes.map(({ x = 0, y = 0 }) => ({ x, y }));
}

/** Scales positions to fit the drawing, by the same factor in both directions. */
function fitToPage(points: readonly Point[]): Layout {
  const side = (all: readonly number[]) => ({ from: Math.min(...all), to: Math.max(...all) });
  const [x, y] = [side(points.map((each) => each.x)), side(points.map((each) => each.y))];
  const scale = Math.min((width - 2 * margin) / (x.to - x.from || 1), (height_max - 2 * margin) / (y.to - y.from || 1));
  const height = Math.max((y.to - y.from) * scale + 2 * margin, height_min);
  const along = ({ from, to }: { from: number; to: number }, length: number) =>
    scaleLinear([(from + to) / 2, (from + to) / 2 + 1], [length / 2, length / 2 + scale]);
  const [across, down] = [along(x, width), along(y, height)];
  return {
    places: points.map((each) => ({ x: round(across(each.x)), y: round(down(each.y)) })),
    height: Math.round(height),
  };
}

function faintFirst(a: Edge, b: Edge): number {
  return Number(b.is_faint ?? false) - Number(a.is_faint ?? false);
}

function edgeHtml(
  { from, to, label, route, is_faint }: Edge,
  places: readonly Point[],
  radius: number,
  directed: boolean,
): Html {
  const [a, b] = [places[from], places[to]];
  if (!a || !b) return html``;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const at = (share: number) => ({ x: round(a.x + dx * share), y: round(a.y + dy * share) });
  const [start, end] = [
    at(Math.min(radius, length / 2)),
    at(Math.max(length - radius - (directed ? 5 : 0), length / 2)),
  ];
  const kind = `edge ${is_faint ? "faint" : ""} ${route === undefined ? "" : colourOf(route)}`;
  const head = directed ? headHtml(at(Math.max(length - radius, length / 2)), { x: dx, y: dy }, kind) : "";
  const middle = at(length / 2);
  const text =
    label === undefined || length < 40
      ? ""
      : html`<text x="${middle.x}" y="${middle.y + 4}" class="halo" text-anchor="middle">${label}</text>`;
  return html`<line x1="${start.x}" y1="${start.y}" x2="${end.x}" y2="${end.y}" class="${kind}"/>${head}${text}`;
}

/** Draws an arrowhead with its tip at this point. */
function headHtml(tip: Point, towards: Point, kind: string): Html {
  const corner = (side: number) =>
    `${round(tip.x - 9 * towards.x + side * 4.5 * towards.y)},${round(tip.y - 9 * towards.y - side * 4.5 * towards.x)}`;
  return html`<polygon points="${tip.x},${tip.y} ${corner(1)} ${corner(-1)}" class="head ${kind}"/>`;
}

interface Look {
  readonly radius: number;
  /** Whether names are inside the vertices rather than below them. */
  readonly inside: boolean;
}

function vertexHtml(label: string, at: Point | undefined, { radius, inside }: Look, colour: number | undefined): Html {
  if (!at) return html``;
  const circle = html`<circle cx="${at.x}" cy="${at.y}" r="${radius}" class="vertex ${colour === undefined ? "" : colourOf(colour)}"/>`;
  const y = inside ? at.y + 4 : at.y + radius + 12;
  const text =
    radius < 7
      ? ""
      : html`<text x="${at.x}" y="${y}" text-anchor="middle" class="${inside ? "in" : "halo"}">${label.slice(0, 16)}</text>`;
  return html`<g><title>${label}</title>${circle}${text}</g>`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
