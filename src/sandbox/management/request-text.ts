/** Reads the body of each request once, up to a limit, for the endpoints to parse. */
import type { MiddlewareHandler } from 'hono';
import { parseJson } from '../parse-json.ts';
import { plainErrorResponse } from './endpoints/responses.ts';

const BODY_MAX_BYTES = 64 * 1_024;

/** `text` is the body as JSON, empty where there is none. */
export type WithBodyText = { Variables: { text: string } };

/** 413 beyond the limit, whether the length was declared or not. */
export const readBodyText: MiddlewareHandler<WithBodyText> = async (c, next) => {
  const announced = Number(c.req.header('content-length') ?? 0);
  const text = announced > BODY_MAX_BYTES ? undefined : await textOf(c.req.raw.body);
  if (text === undefined) return plainErrorResponse(413, 'Payload Too Large');
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  c.set('text', isForm && parseJson(text) === undefined ? formAsJson(text) : text);
  return next();
};

/**
 * A form body names the same fields: a public client creates groups and sends commands so (demisto/content,
 * Packs/Automox, Automox.py, tested in 2022-03 with the live service). Empty fields are null.
 */
function formAsJson(text: string): string {
  const fields = [...new URLSearchParams(text)].map(([name, value]) => [name, value === '' ? null : value]);
  return JSON.stringify(Object.fromEntries(fields));
}

/** Undefined where it is too long; the rest is not read. */
async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
