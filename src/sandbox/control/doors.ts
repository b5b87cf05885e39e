/** The doors of the control interface: JSON comes in checked, and what is wrong with it is said in one line. */
import type { Context, Handler } from 'hono';
import type { z } from 'zod';
import { parseJson } from '../json.ts';

/** What a call answers, as JSON with status 200; a Response where it is another status. */
type Act<T> = (input: T, context: Context) => object | Promise<object>;

/** Longest body taken: far above any form a person fills in. */
const LONGEST_BODY = 1024 * 1024;

/** A call with a JSON body; none at all is an empty one. */
export function withBody<T>(schema: z.ZodType<T>, act: Act<T>): Handler {
  return async (context) => {
    const text = await context.req.text();
    if (text.length > LONGEST_BODY) return context.json(refusal('the body is larger than 1 MiB'), 413);
    const body = text === '' ? {} : parseJson(text);
    if (body === undefined) return context.json(refusal('the body is not JSON'), 400);
    return answer(context, schema, withoutNulls(body), act);
  };
}

/** A call with a query. */
export function withQuery<T>(schema: z.ZodType<T>, act: Act<T>): Handler {
  return (context) => answer(context, schema, context.req.query(), act);
}

export function refusal(error: string) {
  return { ok: false, error } as const;
}

async function answer<T>(
  context: Context,
  schema: z.ZodType<T>,
  given: unknown,
  act: Act<T>,
): Promise<Response> {
  const read = schema.safeParse(given, { error: plainWords });
  if (!read.success) return context.json(refusal(read.error.issues.map(faultLine).join('; ')), 400);
  const answered = await act(read.data, context);
  return answered instanceof Response ? answered : context.json(answered);
}

/** A field that is null was left out. */
function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function faultLine(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')} ${issue.message}`;
}

function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'invalid_value') {
    const given = issue.input === undefined ? 'is missing;' : `is ${JSON.stringify(issue.input)};`;
    return `${given} it must be one of ${issue.values.join(', ')}`;
  }
  if (issue.code === 'too_small') return boundInWords('least', issue.origin, issue.minimum);
  if (issue.code === 'too_big') return boundInWords('most', issue.origin, issue.maximum);
  return undefined;
}

function boundInWords(which: 'least' | 'most', origin: string, bound: number | bigint): string {
  if (origin === 'string')
    return bound === 1 ? 'must not be empty' : `must have at ${which} ${bound} characters`;
  return origin === 'array' ? `must have at ${which} ${bound} entries` : `must be at ${which} ${bound}`;
}
