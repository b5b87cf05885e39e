/** Validates control requests; errors come back as one line. */
import type { Context, Handler } from 'hono';
import { z } from 'zod';
import type { Workspace } from '../contracts/services.ts';
import { parseJson } from '../parse-json.ts';

/** The answer of a call, as JSON with status 200; a Response for any other status. */
type ControlHandler<T> = (input: T, context: Context) => object | Promise<object>;

/** Maximum body size: far above any form that a person fills in. */
const MAX_BODY_BYTES = 1024 * 1024;

/** A call with a JSON body; a missing body counts as an empty object. */
export function validateBody<T>(schema: z.ZodType<T>, handler: ControlHandler<T>): Handler {
  return async (context) => {
    const text = await context.req.text();
    if (text.length > MAX_BODY_BYTES)
      return context.json(badRequestAnswer('the body is larger than 1 MiB'), 413);
    const body = text === '' ? {} : parseJson(text);
    if (body === undefined) return context.json(badRequestAnswer('the body is not JSON'), 400);
    return validateAndAnswer(context, schema, dropNulls(body), handler);
  };
}

/** A call with a query. */
export function validateQuery<T>(schema: z.ZodType<T>, handler: ControlHandler<T>): Handler {
  return (context) => validateAndAnswer(context, schema, context.req.query(), handler);
}

export function badRequestAnswer(error: string) {
  return { ok: false, error } as const;
}

async function validateAndAnswer<T>(
  context: Context,
  schema: z.ZodType<T>,
  rawInput: unknown,
  act: ControlHandler<T>,
): Promise<Response> {
  const read = schema.safeParse(rawInput, { error: plainIssueText });
  if (!read.success) return context.json(badRequestAnswer(read.error.issues.map(issueText).join('; ')), 400);
  const answered = await act(read.data, context);
  return answered instanceof Response ? answered : context.json(answered);
}

/** Treats null fields as absent. */
function dropNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function issueText(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')} ${issue.message}`;
}

function plainIssueText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'invalid_value') {
    const received = issue.input === undefined ? 'is missing;' : `is ${JSON.stringify(issue.input)};`;
    return `${received} it must be one of ${issue.values.join(', ')}`;
  }
  if (issue.code === 'too_small') return boundText('least', issue.origin, issue.minimum);
  if (issue.code === 'too_big') return boundText('most', issue.origin, issue.maximum);
  return undefined;
}

function boundText(which: 'least' | 'most', origin: string, bound: number | bigint): string {
  if (origin === 'string')
    return bound === 1 ? 'must not be empty' : `must have at ${which} ${bound} characters`;
  return origin === 'array' ? `must have at ${which} ${bound} entries` : `must be at ${which} ${bound}`;
}

/** Schemas of this workspace, whose errors list the valid names. */
export function nameSchemas(workspace: Pick<Workspace, 'users' | 'channels'>) {
  const isUser = (text: string) => isKnown(workspace.users(), text);
  const isChannel = (text: string) =>
    isKnown(workspace.channels(), text) ||
    // Direct messages with the bot: `@operator`, or the id of one with one or several people.
    (text.startsWith('@') ? isUser(text.slice(1)) : /^[DG][A-Z0-9]+$/.test(text));
  const user = z.string().refine(isUser, {
    error: ({ input }) => unknown(input, 'user', workspace.users()),
  });
  const channel = z.string().refine(isChannel, {
    error: ({ input }) => `${unknown(input, 'channel', workspace.channels())}, or @ and a user`,
  });
  return { user, channel };
}

function isKnown(known: ReturnType<Workspace['channels']>, text: string): boolean {
  return known.some(({ id, name }) => id === text || name === text);
}

function unknown(input: unknown, what: string, known: ReturnType<Workspace['channels']>): string {
  const names = known.map(({ name }) => name).join(', ');
  return `${JSON.stringify(String(input).slice(0, 60))} is not a ${what} here; ${what}s: ${names}`;
}
