/** Parses a request with a schema; errors come back as the response to send. */
import type { z } from 'zod';
import { parseJson } from '../../parse-json.ts';
import { fieldProblemsOf, invalidResponse, plainErrorResponse } from './responses.ts';

/** Ignores parameters that the schema does not name, as the live service does. */
export function parseQuery<Schema extends z.ZodType>(
  params: URLSearchParams,
  schema: Schema,
): z.output<Schema> | Response {
  const query = schema.safeParse(Object.fromEntries(params));
  return query.success ? query.data : invalidResponse(fieldProblemsOf(query.error));
}

/** Ignores fields that the schema does not name, as with parameters. */
export function parseBody<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): z.output<Schema> | Response {
  const json = parseJson(text);
  if (json === undefined) return plainErrorResponse(400, 'The request body is not valid JSON.');
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return invalidResponse({ body: ['The body must be an object.'] });
  const body = schema.safeParse(json);
  return body.success ? body.data : invalidResponse(fieldProblemsOf(body.error));
}
