/** Repeats the product's calls in a workspace with other ids and times. */
import { asJsonObject, type JsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';
import { shapeDifferences, shapeOf } from './answer-shape.ts';
import type { RecordedCall } from './recording.ts';
import type { WorkspaceSide } from './workspaces.ts';

/** `error` is Slack's code, or `http 404` where the answer is not from the Web API. */
export type ReplayOutcome =
  | { readonly ok: true; readonly answer: JsonObject }
  | { readonly ok: false; readonly error: string };

/** A trigger that neither workspace issued. */
export const MADE_UP = '1.1.made-up';

export type Replay = (call: RecordedCall) => Promise<ReplayOutcome>;

/** `names` maps names of people and channels to our ids. */
export function createReplay(side: WorkspaceSide, names: ReadonlyMap<string, string>): Replay {
  const here = new Map([...names].map(([name, id]) => [id, side.ids.get(name) ?? id]));
  return async ({ method, args, answer }) => {
    const own = await ownArguments(side, method, args);
    const outcome = await outcomeOf(side.client.apiCall(method, { ...translate(args, here), ...own }));
    if (outcome.ok) {
      for (const name of ['ts', 'message_ts'])
        if (typeof answer[name] === 'string') here.set(answer[name], String(outcome.answer[name]));
    }
    return outcome;
  };
}

/** Arguments that only this workspace can supply. */
async function ownArguments(side: WorkspaceSide, method: string, args: JsonObject): Promise<JsonObject> {
  if (method === 'apps.connections.open') return { token: side.appToken };
  const trigger = args['trigger_id'];
  return trigger === undefined || trigger === MADE_UP ? {} : { trigger_id: await side.trigger() };
}

function translate(args: JsonObject, here: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? (here.get(value) ?? value) : value,
    ]),
  );
}

async function outcomeOf(call: Promise<unknown>): Promise<ReplayOutcome> {
  try {
    return { ok: true, answer: asJsonObject(await call) };
  } catch (error) {
    const { data, statusCode } = asJsonObject(error);
    const { error: word } = asJsonObject(data);
    if (typeof word === 'string') return { ok: false, error: word };
    return { ok: false, error: typeof statusCode === 'number' ? `http ${statusCode}` : String(error) };
  }
}

/** The differences of the two answers, one line each: the error code, or the type of a value. */
export function disagreements(ours: ReplayOutcome, theirs: ReplayOutcome): readonly string[] {
  if (ours.ok && theirs.ok) return shapeDifferences(shapeOf(ours.answer), shapeOf(theirs.answer));
  const [left, right] = [ours, theirs].map((outcome) => (outcome.ok ? 'ok' : outcome.error));
  return left === right ? [] : [`${left} / ${right}`];
}
