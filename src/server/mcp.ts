import {
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { solution_view } from "../config.ts";
import type { Engines } from "../engines/index.ts";
import type { OwnJobs } from "../jobs/own_jobs.ts";
import { wholeJob } from "../jobs/tools/shown.ts";
import { Deadline } from "../kernel/deadline.ts";
import { Fault, toFault } from "../kernel/fault.ts";
import type { CallContext, Guide, Tool, Toolset } from "../kernel/tool.ts";
import { FileElsewhere } from "../tools/model/data/roots.ts";
import { shown_languages } from "../tools/model/languages/shown.ts";
import { offeredAnswer, offeredFault, offeredGuide } from "../tools/offered.ts";
import { version } from "../version.ts";
import { addSolutionView, showsApps, viewOf } from "./apps.ts";
import type { ClientRoots } from "./client_roots.ts";
import { server_limits } from "./limits.ts";
import { listedAnnotations, listedInput, listedOutput } from "./listing.ts";
import { addProcedure } from "./prompts/register.ts";
import { answerResult, faultResult } from "./results.ts";
import { addTasks, createdTask, tasks_extension } from "./tasks.ts";

const instructions =
  "Verdict decides with formal engines. sat, unsat and proven are decided; unknown and timeout are not: never report them as a verdict. Faults say what to correct; then send again.";

/** The parts of a server other than its toolsets. */
interface Beside {
  readonly jobs?: OwnJobs | undefined;
  /** The client's directories. Over HTTP, a client's paths mean nothing to the server. */
  readonly roots?: ClientRoots;
}

/** Builds an MCP server from the toolsets. Called once per connection. Each connection gets its own tools. */
export function buildServer(toolsets: readonly Toolset[], engines: Engines, { jobs, roots }: Beside = {}): McpServer {
  const server = new McpServer(
    { name: "verdict", title: "Verdict", version },
    {
      instructions,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
        ...(jobs && { extensions: { [tasks_extension]: {} } }),
      },
    },
  );
  const tools = toolsets.flatMap((set) => set.session());
  const guides = toolsets.flatMap((set) => set.guides);
  const known = new Set(guides.map(({ name }) => name));
  const missing = ["smtlib", ...Object.keys(shown_languages)].filter((name) => !known.has(name));
  for (const tool of tools) addTool(server, tool, { jobs, roots, missing });
  listTools(server, tools);
  addGuides(
    server,
    guides.map((guide) => ({ ...guide, text: offeredGuide(guide.text, missing) })),
  );
  addProcedure(server, guides);
  addEngines(server, engines);
  addSolutionView(server, solution_view);
  roots?.attach(server);
  if (jobs) {
    addJobs(server, jobs);
    addTasks(server, jobs);
  }
  return server;
}

/** Lists the tools as the SDK does. In addition, hosts that show pages learn which tools have a page. */
function listTools(server: McpServer, tools: readonly Tool[]): void {
  server.server.setRequestHandler("tools/list", (_request, context) => {
    const shows_apps = showsApps(server, context);
    const listing = tools.map((tool) => {
      const view = shows_apps ? viewOf(tool.name) : undefined;
      const { name, description } = tool;
      return {
        ...{ name, title: tool.annotations.title, description, inputSchema: objectSchema(listedInput(tool)) },
        ...{ annotations: listedAnnotations(tool.annotations), ...(view && { _meta: view }) },
        outputSchema: objectSchema(listedOutput(tool)),
      };
    });
    return { tools: listing };
  });
}

/** Converts a schema to the type that MCP requires for tool schemas. */
function objectSchema(schema: Record<string, unknown>) {
  return { ...schema, type: "object" as const };
}

/** What a call needs besides its tool. */
interface Calls {
  readonly jobs: OwnJobs | undefined;
  readonly roots: ClientRoots | undefined;
  /** The languages that this server lacks. */
  readonly missing: readonly string[];
}

function addTool(server: McpServer, tool: Tool, calls: Calls): void {
  const { title } = tool.annotations;
  server.registerTool(
    tool.name,
    {
      title,
      description: tool.description,
      annotations: listedAnnotations(tool.annotations),
      inputSchema: listed(() => listedInput(tool)),
      outputSchema: listed(() => listedOutput(tool)),
    },
    (args: unknown, context: ServerContext) => callTool(tool, args, context, calls),
  );
}

/** Returns a schema as clients see it. The tool itself checks arguments and answers, and raises proper faults. */
function listed(schema: () => Record<string, unknown>): StandardSchemaWithJSON {
  const jsonSchema = { input: schema, output: schema };
  return { "~standard": { version: 1, vendor: "verdict", validate: (value) => ({ value }), jsonSchema } };
}

async function callTool(tool: Tool, args: unknown, context: ServerContext, { jobs, roots, missing }: Calls) {
  const heartbeat = startHeartbeat(context);
  try {
    await roots?.take(context);
    const answer = await tool.call(args, {
      signal: context.mcpReq.signal,
      progress: heartbeat.say,
      onEvent: heartbeat.tell,
    });
    return (jobs && (await createdTask(answer, jobs, context))) ?? answerResult(offeredAnswer(answer, missing));
  } catch (thrown) {
    if (thrown instanceof FileElsewhere && roots?.canAsk(context)) return roots.question();
    const fault = toFault(thrown);
    if (fault !== thrown) console.error(thrown);
    return faultResult(offeredFault(fault, missing));
  } finally {
    heartbeat.stop();
  }
}

interface Heartbeat {
  readonly say: CallContext["progress"];
  readonly tell: CallContext["onEvent"];
  readonly stop: () => void;
}

/** Sends progress every few seconds, and events immediately, to a client that has requested progress. */
function startHeartbeat(context: ServerContext): Heartbeat {
  const progressToken = context.mcpReq._meta?.progressToken;
  let doing = "working";
  if (progressToken === undefined) return { say: () => {}, tell: () => {}, stop: () => {} };
  const start = performance.now();
  let reported_s = 0;
  const send = (words: string) => {
    // Progress has to increase with every notification.
    reported_s = Math.max((performance.now() - start) / 1000, reported_s + 0.001);
    const progress = Math.round(reported_s * 1000) / 1000;
    const message = `${words}, ${Math.round(reported_s)} s so far`;
    // This rejects if the call was cancelled in the meantime. Nobody reads the notification then.
    context.mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(() => {});
  };
  const beat = setInterval(() => send(doing), server_limits.heartbeat_ms);
  return {
    say: (words) => {
      doing = words;
    },
    tell: (words) => {
      if ((performance.now() - start) / 1000 - reported_s >= server_limits.news_ms_min / 1000) send(words);
    },
    stop: () => clearInterval(beat),
  };
}

function addGuides(server: McpServer, guides: readonly Guide[]): void {
  for (const { name, title, text } of guides) {
    const uri = `verdict://guide/${name}`;
    server.registerResource(`guide-${name}`, uri, { title, mimeType: "text/markdown" }, () => ({
      contents: [{ uri, mimeType: "text/markdown", text }],
    }));
  }
  const [first, ...others] = guides.map((guide) => guide.name);
  if (first === undefined) return;
  const main = guides.find(({ is_main }) => is_main)?.name;
  const named = z.enum([first, ...others]).describe("Which guide.");
  const argsSchema = z.object({ language: main === undefined ? named : named.optional() });
  server.registerPrompt(
    "instructions",
    {
      title: "How to use Verdict well",
      description: "How to state problems in one of Verdict's languages.",
      argsSchema,
    },
    ({ language = main }) => {
      const text = guides.find((guide) => guide.name === language)?.text ?? "";
      return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
    },
  );
}

function addEngines(server: McpServer, engines: Engines): void {
  const uri = "verdict://engines";
  server.registerResource("engines", uri, { title: "Available engines", mimeType: "application/json" }, async () => ({
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify(await engines.probe(), null, 2) }],
  }));
}

/** Adds each job as a resource: its state, and its answer or fault once it has ended. */
function addJobs(server: McpServer, jobs: OwnJobs): void {
  const template = new ResourceTemplate("verdict://jobs/{id}", { list: undefined });
  server.registerResource(
    "jobs",
    template,
    { title: "A job", mimeType: "application/json" },
    async ({ href: uri }, { id }) => {
      const view = await jobs.view(String(id), new Deadline(0)).catch((thrown: unknown) => {
        throw thrown instanceof Fault && thrown.code === "invalid_argument" ? new ResourceNotFoundError(uri) : thrown;
      });
      return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(wholeJob(view), null, 2) }] };
    },
  );
}
