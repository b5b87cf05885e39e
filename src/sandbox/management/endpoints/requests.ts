/** What every endpoint works with: the request, its fields with the service's error texts, and the answers. */
import { z } from 'zod';
import { type Clock, type Instant, instant } from '../../../lib/clock.ts';
import { parseJson } from '../../parse-json.ts';
import type { Profile } from '../profiles.ts';
import type { WorldDevice, WorldGroup, WorldPolicy } from '../world/model.ts';
import type { RunningWorld } from '../world/running-world.ts';
import type { World } from '../world/world.ts';

export type Call = Pick<RunningWorld, 'commands' | 'timers'> & {
  readonly world: World;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly now: Instant;
  /** Of the path, like `entry`. */
  readonly id: string;
  readonly entry: string;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  readonly text: string;
};

/** What the JSON of an answer depends on besides its object. */
export type View = Pick<Call, 'world' | 'profile' | 'now'>;

/** Thrown where a request is not carried out. */
export class Refusal extends Error {
  readonly answer: Response;

  constructor(answer: Response) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

/** 201 without a body: the new id is not returned. */
export const createdResponse = (): Response => new Response(null, { status: 201 });
export const noContentResponse = (): Response => new Response(null, { status: 204 });
export const notFoundResponse = (): Response => plainErrorResponse(404, 'Not found');

/** An error that belongs to no field (seen live, "in practice" 2.1). */
export function plainErrorResponse(status: number, message: string): Response {
  return Response.json({ errors: [message] }, { status });
}

export function forbidden(): Refusal {
  const text =
    'You do not have permission to perform this action. Please contact your system administrator for support.';
  return new Refusal(plainErrorResponse(403, text));
}

/** Keyed by the field with the error. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): Refusal {
  return new Refusal(Response.json({ errors }, { status: 400 }));
}

/** Ignores parameters that the schema does not name, as the live service does. */
export function parseQuery<Schema extends z.ZodType>({ query }: Call, schema: Schema): z.output<Schema> {
  return parse(schema, Object.fromEntries(query));
}

/** Ignores fields that the schema does not name, as with parameters. */
export function parseBody<Schema extends z.ZodType>(
  { text }: Pick<Call, 'text'>,
  schema: Schema,
): z.output<Schema> {
  const json = parseJson(text);
  if (json === undefined) throw new Refusal(plainErrorResponse(400, 'The request body is not valid JSON.'));
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw invalid({ body: ['The body must be an object.'] });
  return parse(schema, json);
}

function parse<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(sent);
  if (error === undefined) return data;
  const problems: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const field = String(path[0] ?? 'body');
    problems[field] = [...(problems[field] ?? []), message];
  }
  throw invalid(problems);
}

export function deviceOf({ world, id }: Call): WorldDevice {
  return foundIn(world.devices, id) ?? refuse(new Refusal(notFoundResponse()));
}

export function policyOf({ world, id }: Call): WorldPolicy {
  return foundIn(world.policies, id) ?? refuse(new Refusal(notFoundResponse()));
}

/** An unknown group is answered like a forbidden one. */
export function groupOf({ world, id }: Call): WorldGroup {
  return foundIn(world.groups, id) ?? refuse(forbidden());
}

function foundIn<T>(known: { readonly get: (id: number) => T | undefined }, id: string): T | undefined {
  return /^\d{1,15}$/.test(id) ? known.get(Number(id)) : undefined;
}

function refuse(refusal: Refusal): never {
  throw refusal;
}

/** An unknown id is answered with 403 ("in practice" 2.2). */
export function requireGroups({ world }: Call, ids: readonly number[]): void {
  if (!ids.every((id) => world.groups.has(id))) throw forbidden();
}

/** Every list takes 1 to 500 rows (§8). */
export const MAX_ROWS = 500;

/** One page of `rows`, of `all` rows unless the request says otherwise; a page past the end is empty. */
export function slicePage<T>(
  rows: readonly T[],
  { limit: size, page = 0 }: z.output<typeof PageQuery>,
  all = MAX_ROWS,
): readonly T[] {
  const most = size ?? all;
  return rows.slice(page * most, (page + 1) * most);
}

/** At most 15 digits, which a number holds exactly. */
function integerParameter(field: string) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, `The ${field} must be an integer.`)
    .transform(Number);
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
  return z.iso
    .date(`The ${field} does not match the format Y-m-d.`)
    .transform((text) => instant(Date.parse(`${text}T00:00:00Z`)))
    .optional();
}

export function limitParameter(field = 'limit', max = MAX_ROWS) {
  return integerParameter(field)
    .pipe(within(z.number(), field, 1, max))
    .optional();
}

export function pageParameter(field = 'page') {
  return integerParameter(field)
    .pipe(z.number().min(0, `The ${field} must be at least 0.`))
    .optional();
}

export const PageQuery = z.object({ limit: limitParameter(), page: pageParameter() });

/** A missing field and one of a wrong type have different errors. */
function fieldError(field: string, wrong: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? requiredField(field) : wrong),
  };
}

export function requiredField(field: string): string {
  return `The ${field} field is required.`;
}

export function selectedField(field: string): string {
  return `The selected ${field} is invalid.`;
}

export function textField(field: string) {
  return z.string(fieldError(field, `The ${field} must be a string.`));
}

export function nonBlankTextField(field: string) {
  return textField(field).refine((value) => value.trim() !== '', requiredField(field));
}

export function integerField(field: string) {
  return z.int(fieldError(field, `The ${field} must be an integer.`));
}

export function booleanField(field: string) {
  return z.boolean(fieldError(field, `The ${field} field must be true or false.`));
}

export function listField<Item extends z.ZodType>(field: string, item: Item) {
  return z.array(item, fieldError(field, `The ${field} must be an array.`));
}

export function oneOfField<const Choice extends string>(field: string, choices: readonly Choice[]) {
  return z.enum(choices, fieldError(field, selectedField(field)));
}

/** Both limits included. */
export function rangeField(field: string, least: number, most: number) {
  return within(integerField(field), field, least, most);
}

function within(number: z.ZodNumber, field: string, least: number, most: number) {
  return number
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
