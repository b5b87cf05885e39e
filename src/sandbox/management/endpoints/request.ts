/** What a request says, read through a schema; what is wrong with it comes back as the answer to give. */
import type { z } from 'zod';
import { parseJson } from '../../json.ts';
import { invalid, plain, problemsOf } from './answer.ts';

/** Parameters that the schema does not name are ignored, as live. */
export function queryOf<Schema extends z.ZodType>(
  params: URLSearchParams,
  schema: Schema,
): z.output<Schema> | Response {
  const query = schema.safeParse(Object.fromEntries(params));
  return query.success ? query.data : invalid(problemsOf(query.error));
}

/** Fields that the schema does not name are ignored, as parameters are. */
export function bodyOf<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> | Response {
  const json = parseJson(text);
  if (json === undefined) return plain(400, 'The request body is not valid JSON.');
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return invalid({ body: ['The body must be an object.'] });
  const body = schema.safeParse(json);
  return body.success ? body.data : invalid(problemsOf(body.error));
}
