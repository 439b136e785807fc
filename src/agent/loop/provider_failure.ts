import { APICallError, LoadAPIKeyError, RetryError } from "ai";

/** A failure of a model's provider. Its message never contains the prompt or the key. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** The message of a provider's error, in one sentence. */
export function providerFailure(error: unknown): ProviderFailure {
  if (RetryError.isInstance(error)) {
    const last = providerFailure(error.lastError);
    return new ProviderFailure(`${last.message} (after ${error.errors.length} attempts)`, last.status);
  }
  if (APICallError.isInstance(error)) return new ProviderFailure(callWords(error), error.statusCode);
  if (LoadAPIKeyError.isInstance(error)) return new ProviderFailure("the provider has no key");
  const message = error instanceof Error ? error.message : String(error);
  return new ProviderFailure(`the request to the model failed: ${oneLine(message)}`);
}

function callWords({ statusCode, message, cause, responseHeaders }: APICallError): string {
  if (statusCode === 401 || statusCode === 403) return `the provider rejects the key (${statusCode})`;
  if (statusCode === 404) return "the provider does not know this model (404)";
  if (statusCode === 429) {
    const wait = responseHeaders?.["retry-after"];
    return `the provider accepts no more requests for now (429)${wait ? `; it asks to wait: ${oneLine(wait)}` : ""}`;
  }
  if (statusCode !== undefined && statusCode >= 500) return `the provider failed (${statusCode})`;
  if (statusCode !== undefined && statusCode < 300) return "the provider's answer can't be read";
  if (statusCode !== undefined) return `the provider rejected the request (${statusCode}): ${oneLine(message)}`;
  return `the provider can't be reached: ${oneLine(cause instanceof Error && cause.message ? cause.message : message)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 300);
}
