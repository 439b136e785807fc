import { agent_limits } from "../limits.ts";

/**
 * Sends a request to a provider, like `fetch`. The answer's size is limited, since a server could send endlessly. The
 * key is removed from error messages, since some servers quote it.
 */
export function boundedFetch(key: string | undefined): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.ok) return answer.body ? sameWith(answer, answer.body.pipeThrough(bound())) : answer;
    const body = await new Response(answer.body?.pipeThrough(bound())).text();
    return sameWith(answer, key === undefined ? body : body.replaceAll(key, "(the key)"));
  };
}

function sameWith({ status, statusText, headers }: Response, body: ReadableStream | string): Response {
  return new Response(body, { status, statusText, headers });
}

function bound(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes > agent_limits.answer_bytes_max) controller.error(new Error("the provider's answer is too long"));
      else controller.enqueue(piece);
    },
  });
}
