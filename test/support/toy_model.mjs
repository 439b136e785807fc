// Trains the toy model of the tests and writes it as GGUF: `node test/support/toy_model.mjs FILE`. It takes
// seconds. It is a synthetic fixture that llama.cpp can load, sample and score; it is not a prover: it has seen
// propositional sequents of four letters, and the tactics that the toy checker knows.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const end_of_text = "<|endoftext|>";
const code_size = 128;
const width = 2 * code_size;
const feed_forward = 64;
const merges_max = 160;
const pairs_count = 1500;
const epochs = 4;
const rate = 0.08;
/** How much the mean of what was read counts against the last token. */
const mean_weight = 6;
const epsilon = 1e-6;

/** A small generator of numbers in [0, 1), the same on every machine. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// What it learns from: states and the tactic that a cautious human would write.

function formula(next, depth) {
  if (depth === 0 || next() < 0.2) return { op: "atom", name: "pqrs"[Math.floor(next() * 4)] };
  const op = ["→", "∧", "∨"][Math.floor(next() * 3)];
  return { op, left: formula(next, depth - 1), right: formula(next, depth - 1) };
}

function shown({ op, name, left, right }, inside = false) {
  if (op === "atom") return name;
  const text = `${shown(left, true)} ${op} ${shown(right, true)}`;
  return inside ? `(${text})` : text;
}

/** A tactic for the state; the names of hypotheses are h1, h2, … in order. */
function tacticFor(hypotheses, goal, next) {
  const at = hypotheses.findIndex((each) => shown(each) === shown(goal));
  if (at >= 0) return next() < 0.2 ? `exact h${at + 1}` : "assumption";
  if (goal.op === "→") return `intro h${hypotheses.length + 1}`;
  if (goal.op === "∧") return "constructor";
  const both = hypotheses.findIndex((each) => each.op === "∧" || each.op === "∨");
  if (both >= 0) return `cases h${both + 1}`;
  const step = hypotheses.findIndex((each) => each.op === "→" && shown(each.right) === shown(goal));
  if (step >= 0) return `apply h${step + 1}`;
  return goal.op === "∨" ? (next() < 0.5 ? "left" : "right") : "assumption";
}

function trainingPairs() {
  const next = random(1);
  return Array.from({ length: pairs_count }, () => {
    const hypotheses = Array.from({ length: Math.floor(next() * 4) }, () => formula(next, 1));
    const goal = next() < 0.25 && hypotheses.length > 0 ? hypotheses[0] : formula(next, 2);
    const lines = hypotheses.map((each, i) => `h${i + 1} : ${shown(each)}`);
    return { state: [...lines, `⊢ ${shown(goal)}`].join("\n"), tactic: tacticFor(hypotheses, goal, next) };
  });
}

// The tokeniser: byte pairs, split as llama.cpp splits for `qwen2`.

const word =
  /'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/** The printable character that stands for each byte. */
const byte_names = (() => {
  let others = 256;
  const printable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : others++));
})();

const wordsOf = (text) =>
  (text.match(word) ?? []).map((each) => [...Buffer.from(each)].map((byte) => byte_names[byte]));

function merged(pieces, [a, b]) {
  const out = [];
  for (let i = 0; i < pieces.length; i++) {
    if (pieces[i] === a && pieces[i + 1] === b) out.push(a + pieces[++i]);
    else out.push(pieces[i]);
  }
  return out;
}

function learnMerges(texts) {
  let words = texts.flatMap(wordsOf);
  const merges = [];
  while (merges.length < merges_max) {
    const counts = new Map();
    for (const pieces of words) {
      for (let i = 0; i + 1 < pieces.length; i++) {
        const key = `${pieces[i]} ${pieces[i + 1]}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const [best] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    if (!best || best[1] < 2) break;
    const pair = best[0].split(" ");
    merges.push(pair);
    words = words.map((pieces) => merged(pieces, pair));
  }
  return merges;
}

function tokeniser(texts) {
  const merges = learnMerges(texts);
  const tokens = [...byte_names, ...merges.map((pair) => pair.join("")), end_of_text];
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const encode = (text) =>
    wordsOf(text).flatMap((pieces) => merges.reduce(merged, pieces).map((each) => ids.get(each)));
  return { tokens, merges, encode, end: tokens.length - 1 };
}

// The model: a softmax over the last token and the mean of all tokens, which one block of a llama can compute.

function normalised(x) {
  const scale = 1 / Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / x.length + epsilon);
  return x.map((value) => value * scale);
}

function features(codes, mean, last) {
  const x = new Float32Array(width);
  const factor = mean_weight * Math.SQRT2;
  for (let i = 0; i < code_size; i++) {
    x[i] = codes[last * code_size + i];
    x[code_size + i] = factor * mean[i];
  }
  return normalised(x);
}

function train(pairs, { encode, end, tokens }, codes) {
  const weights = new Float32Array(tokens.length * width);
  const squares = new Float32Array(weights.length).fill(1e-8);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { state, tactic } of pairs) {
      const prompt = encode(`${state}:::`);
      const sequence = [...encode(`${state}:::${tactic}`), end];
      const sum = new Float32Array(code_size);
      for (let at = 0; at + 1 < sequence.length; at++) {
        for (let i = 0; i < code_size; i++) sum[i] += codes[sequence[at] * code_size + i];
        if (at + 1 < prompt.length) continue;
        const mean = sum.map((value) => value / (at + 1));
        step(weights, squares, features(codes, mean, sequence[at]), sequence[at + 1]);
      }
    }
  }
  return weights;
}

/** One step of AdaGrad on one token. */
function step(weights, squares, x, wanted) {
  const count = weights.length / width;
  const scores = new Float32Array(count);
  for (let token = 0; token < count; token++) {
    let score = 0;
    for (let i = 0; i < width; i++) score += weights[token * width + i] * x[i];
    scores[token] = score;
  }
  const top = scores.reduce((a, b) => Math.max(a, b));
  const exps = scores.map((score) => Math.exp(score - top));
  const total = exps.reduce((a, b) => a + b);
  for (let token = 0; token < count; token++) {
    const error = exps[token] / total - (token === wanted ? 1 : 0);
    if (Math.abs(error) < 1e-4) continue;
    for (let i = 0; i < width; i++) {
      const at = token * width + i;
      const gradient = error * x[i];
      squares[at] += gradient * gradient;
      weights[at] -= (rate * gradient) / Math.sqrt(squares[at]);
    }
  }
}

// GGUF, version 3.

const type_ids = { u32: 4, i32: 5, f32: 6, bool: 7, str: 8 };
const align = (size) => Math.ceil(size / 32) * 32;

/** `fields`: [key, type, value or list of values]; a tensor's first dimension is the fastest. */
function gguf(fields, tensors) {
  const parts = [];
  let size = 0;
  const put = (bytes) => {
    parts.push(bytes);
    size += bytes.length;
  };
  const number = (length, write, value) => {
    const bytes = Buffer.alloc(length);
    bytes[write](value);
    put(bytes);
  };
  const u32 = (value) => number(4, "writeUInt32LE", value);
  const u64 = (value) => number(8, "writeBigUInt64LE", BigInt(value));
  const str = (text) => {
    const bytes = Buffer.from(text);
    u64(bytes.length);
    put(bytes);
  };
  const writers = {
    u32,
    str,
    i32: (value) => number(4, "writeInt32LE", value),
    f32: (value) => number(4, "writeFloatLE", value),
    bool: (value) => put(Buffer.from([value ? 1 : 0])),
  };
  put(Buffer.from("GGUF"));
  u32(3);
  u64(tensors.length);
  u64(fields.length);
  for (const [key, type, value] of fields) {
    str(key);
    if (Array.isArray(value)) {
      u32(9);
      u32(type_ids[type]);
      u64(value.length);
      for (const each of value) writers[type](each);
    } else {
      u32(type_ids[type]);
      writers[type](value);
    }
  }
  let offset = 0;
  for (const { name, dimensions, data } of tensors) {
    str(name);
    u32(dimensions.length);
    for (const dimension of dimensions) u64(dimension);
    u32(0);
    u64(offset);
    offset += align(data.byteLength);
  }
  const pad = () => put(Buffer.alloc(align(size) - size));
  pad();
  for (const { data } of tensors) {
    put(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    pad();
  }
  return Buffer.concat(parts);
}

function fieldsOf({ tokens, merges, end }) {
  const llama = {
    context_length: 2048,
    embedding_length: width,
    block_count: 1,
    feed_forward_length: feed_forward,
    "attention.head_count": 4,
    "attention.head_count_kv": 4,
    "rope.dimension_count": width / 4,
    vocab_size: tokens.length,
  };
  return [
    ["general.architecture", "str", "llama"],
    ["general.name", "str", "toy tactics"],
    ...Object.entries(llama).map(([key, value]) => [`llama.${key}`, "u32", value]),
    ["llama.attention.layer_norm_rms_epsilon", "f32", epsilon],
    ["llama.rope.freq_base", "f32", 10_000],
    ["tokenizer.ggml.model", "str", "gpt2"],
    ["tokenizer.ggml.pre", "str", "qwen2"],
    ["tokenizer.ggml.tokens", "str", tokens],
    ["tokenizer.ggml.token_type", "i32", tokens.map((_, id) => (id === end ? 3 : 1))],
    ["tokenizer.ggml.merges", "str", merges.map((pair) => pair.join(" "))],
    ["tokenizer.ggml.eos_token_id", "u32", end],
    ["tokenizer.ggml.bos_token_id", "u32", end],
    ["tokenizer.ggml.add_bos_token", "bool", false],
  ];
}

/** One block: attention to everything alike gives the mean, which is written beside the last token's code. */
function tensorsOf(codes, weights, count) {
  const matrix = (columns, rows, fill) => {
    const data = new Float32Array(columns * rows);
    fill?.(data);
    return { dimensions: [columns, rows], data };
  };
  const ones = { dimensions: [width], data: new Float32Array(width).fill(1) };
  const tensors = {
    token_embd: matrix(width, count, (data) => {
      for (let token = 0; token < count; token++)
        data.set(codes.subarray(token * code_size, (token + 1) * code_size), token * width);
    }),
    "blk.0.attn_norm": ones,
    "blk.0.attn_q": matrix(width, width),
    "blk.0.attn_k": matrix(width, width),
    "blk.0.attn_v": matrix(width, width, (data) => {
      for (let i = 0; i < code_size; i++) data[i * width + i] = mean_weight;
    }),
    "blk.0.attn_output": matrix(width, width, (data) => {
      for (let i = 0; i < code_size; i++) data[(code_size + i) * width + i] = 1;
    }),
    "blk.0.ffn_norm": ones,
    "blk.0.ffn_gate": matrix(width, feed_forward),
    "blk.0.ffn_up": matrix(width, feed_forward),
    "blk.0.ffn_down": matrix(feed_forward, width),
    output_norm: ones,
    output: { dimensions: [width, count], data: weights },
  };
  return Object.entries(tensors).map(([name, tensor]) => ({ name: `${name}.weight`, ...tensor }));
}

export function makeToyModel(file) {
  const pairs = trainingPairs();
  const words = tokeniser(pairs.map(({ state, tactic }) => `${state}:::${tactic}`));
  const next = random(2);
  const codes = Float32Array.from({ length: words.tokens.length * code_size }, () => (next() < 0.5 ? -1 : 1));
  const weights = train(pairs, words, codes);
  mkdirSync(dirname(file), { recursive: true });
  // Whole or not at all: several tests may make it at the same time.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, gguf(fieldsOf(words), tensorsOf(codes, weights, words.tokens.length)));
  renameSync(unfinished, file);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) makeToyModel(process.argv[2]);
