/** What every endpoint works with: the current world, and how to format it. */

import { z } from 'zod';
import { type Clock, type Instant, instant } from '../../../lib/clock.ts';
import { parseJson } from '../../parse-json.ts';
import type { Profile } from '../profiles.ts';
import type { WorldDevice, WorldGroup, WorldPolicy } from '../world/model.ts';
import type { RunningWorld } from '../world/running-world.ts';

export type EndpointContext = {
  readonly clock: Clock;
  readonly profile: Profile;
  /** Read for each request, because a reset replaces the world. */
  readonly world: () => RunningWorld;
};

type PageParameters = { readonly limit?: number | undefined; readonly page?: number | undefined };

const NUMBER = /^\d{1,15}$/;

/** The device of a path, by id or, where the profile has that, by UUID. */
export function deviceOrNotFound(service: EndpointContext, id: string | undefined): WorldDevice | undefined {
  if (id === undefined) return undefined;
  const { devices } = service.world().state;
  if (NUMBER.test(id)) return devices.get(Number(id));
  return service.profile.uuidPaths ? [...devices.values()].find(({ uuid }) => uuid === id) : undefined;
}

export function groupOrNotFound(service: EndpointContext, id: string | undefined): WorldGroup | undefined {
  if (id === undefined || !NUMBER.test(id)) return undefined;
  return service.world().state.groups.get(Number(id));
}

export function policyOrNotFound(service: EndpointContext, id: string | undefined): WorldPolicy | undefined {
  if (id === undefined || !NUMBER.test(id)) return undefined;
  return service.world().state.policies.get(Number(id));
}

/** Whether all these groups exist. An unknown id is answered with 403 ("in practice" 2.2). */
export function allGroupsExist(service: EndpointContext, ids: readonly number[]): boolean {
  const { groups } = service.world().state;
  return ids.every((id) => groups.has(id));
}

/** One page of `rows`; a page past the end is empty. */
export function slicePage<T>(
  rows: readonly T[],
  { limit, page = 0 }: PageParameters,
  all: number,
): readonly T[] {
  const size = limit ?? all;
  return rows.slice(page * size, (page + 1) * size);
}

/** Parses a request with a schema; errors come back as the response to send. */

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

/** Types of query parameters, with the service's error texts. */

/** Every list takes 1 to 500 rows (§8). */
export const MAX_ROWS = 500;

function integerParameter(field: string) {
  return z.string().regex(DIGITS, `The ${field} must be an integer.`).transform(Number);
}

export function idParameter(field: string) {
  return integerParameter(field).optional();
}

/** Only 0 and 1; `true` is refused, as on the live service. */
export function flagParameter(field: string) {
  return z
    .enum(['0', '1'], `The ${field} field must be true or false.`)
    .transform((text) => text === '1')
    .optional();
}

/** A day (UTC), as its first moment. */
export function dayParameter(field: string) {
  const message = `The ${field} does not match the format Y-m-d.`;
  return z.iso
    .date(message)
    .transform((text) => Date.parse(`${text}T00:00:00Z`))
    .optional();
}

export function limitParameter(field = 'limit', max = MAX_ROWS) {
  return integerParameter(field)
    .pipe(
      z
        .number()
        .min(1, `The ${field} must be at least 1.`)
        .max(max, `The ${field} may not be greater than ${max}.`),
    )
    .optional();
}

export function pageParameter(field = 'page') {
  return integerParameter(field)
    .pipe(z.number().min(0, `The ${field} must be at least 0.`))
    .optional();
}

/** Field types of request bodies, with the service's error texts. */

/** A missing field and one of a wrong type have different errors. */
function fieldErrorText(field: string, wrong: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? requiredField(field) : wrong),
  };
}

export function requiredField(field: string): string {
  return `The ${field} field is required.`;
}

/** Of names, which are unique (seen live: AutomoxCommunity/se-utilities-public, DynamicGrouping.py, 2026). */
export function takenField(field: string): string {
  return `The ${field} has already been taken.`;
}

export function selectedField(field: string): string {
  return `The selected ${field} is invalid.`;
}

export function textField(field: string) {
  return z.string(fieldErrorText(field, `The ${field} must be a string.`));
}

/** A text that is not blank. */
export function nonEmptyTextField(field: string) {
  return textField(field).refine((value) => value.trim() !== '', requiredField(field));
}

export function integerField(field: string) {
  return z.int(fieldErrorText(field, `The ${field} must be an integer.`));
}

/** At most 15 digits, which a number holds exactly. */
const DIGITS = /^-?\d{1,15}$/;

/** Digits as text are taken too, where a public client of the vendor sends what a person or a file said. */
export function orDigits<Field extends z.ZodType>(field: Field) {
  return z.preprocess((sent) => (typeof sent === 'string' && DIGITS.test(sent) ? Number(sent) : sent), field);
}

export function booleanField(field: string) {
  return z.boolean(fieldErrorText(field, `The ${field} field must be true or false.`));
}

export function listField<Item extends z.ZodType>(field: string, item: Item) {
  return z.array(item, fieldErrorText(field, `The ${field} must be an array.`));
}

export function oneOfField<const Choice extends string>(field: string, choices: readonly Choice[]) {
  return z.enum(choices, fieldErrorText(field, selectedField(field)));
}

/** A whole number within limits, both included. */
export function rangeField(field: string, least: number, most: number) {
  return integerField(field)
    .min(least, `The ${field} must be at least ${least}.`)
    .max(most, `The ${field} may not be greater than ${most}.`);
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?)(Z|[+-]\d\d):?(\d\d)?$/;

/** An ISO 8601 time with its offset, with or without a colon in it. */
export function timestampField(field: string) {
  return textField(field).transform((value, context): Instant => {
    const [, time = '', hours = '', minutes] = TIME.exec(value) ?? [];
    const at = Date.parse(minutes === undefined ? `${time}${hours}` : `${time}${hours}:${minutes}`);
    if (Number.isFinite(at)) return instant(at);
    context.addIssue({ code: 'custom', message: `The ${field} is not a valid date.` });
    return z.NEVER;
  });
}

/** Successes and errors of the service (shapes observed live, "in practice" 2.1). */

type FieldProblems = Readonly<Record<string, readonly string[]>>;

/** 201 without a body: the new id is not returned. */
export const createdResponse = (): Response => new Response(null, { status: 201 });
export const noContentResponse = (): Response => new Response(null, { status: 204 });

export const unauthorizedResponse = (): Response => plainErrorResponse(401, 'Unauthorized');
export const forbiddenResponse = (): Response =>
  plainErrorResponse(
    403,
    'You do not have permission to perform this action. Please contact your system administrator for support.',
  );
export const notFoundResponse = (): Response => plainErrorResponse(404, 'Not found');

/** Keyed by the field with the error. */
export function invalidResponse(errors: FieldProblems): Response {
  return Response.json({ errors }, { status: 400 });
}

/** An error that belongs to no field. */
export function plainErrorResponse(status: number, message: string): Response {
  return Response.json({ errors: [message] }, { status });
}

/** The shape of newer services (RFC 9457). */
export function problemResponse(status: number, title: string, detail: string, instance: string): Response {
  const type = 'about:blank';
  return Response.json(
    { type, title, status, detail, instance },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
}

/** The errors of a schema, by field. */
function fieldProblemsOf(error: z.ZodError): FieldProblems {
  const problems: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const field = String(path[0] ?? 'body');
    problems[field] = [...(problems[field] ?? []), message];
  }
  return problems;
}
