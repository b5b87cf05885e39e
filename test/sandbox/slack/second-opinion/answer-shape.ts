/** The shape of an answer: each key and the type of its value. Pure. */
import { isJsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';

/** Paths such as `message.blocks[].type`, and the type found there. */
export type AnswerShape = ReadonlyMap<string, string>;

/** Values below these come from the caller and differ with every call. */
const GIVEN: ReadonlySet<string> = new Set(['elements', 'event_payload', 'state']);
/** Keys that Slack's own client adds to an answer. */
const CLIENTS: ReadonlySet<string> = new Set([
  'response_metadata.scopes',
  'response_metadata.acceptedScopes',
]);

export function shapeOf(answer: unknown): AnswerShape {
  const shape = new Map<string, string>();
  note(answer, '', shape);
  return shape;
}

function note(value: unknown, path: string, shape: Map<string, string>): void {
  if (CLIENTS.has(path) || value === undefined) return;
  if (path !== '') shape.set(path, kindOf(value));
  if (GIVEN.has(path.split('.').at(-1) ?? '')) return;
  if (Array.isArray(value)) for (const entry of value) note(entry, `${path}[]`, shape);
  else if (isJsonObject(value)) {
    for (const [name, part] of Object.entries(value))
      note(part, path === '' ? name : `${path}.${name}`, shape);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** One line for each path whose types differ. */
export function shapeDifferences(ours: AnswerShape, theirs: AnswerShape): readonly string[] {
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  const missesParent = (path: string, shape: AnswerShape) => {
    const parent = path.replace(/(\[\]|\.[^.[]+)$/, '');
    return parent !== path && parent !== '' && !shape.has(parent);
  };
  return paths
    .filter((path) => ours.get(path) !== theirs.get(path))
    .filter((path) => !missesParent(path, ours) && !missesParent(path, theirs))
    .map((path) => `${path}: ${ours.get(path) ?? 'absent'} / ${theirs.get(path) ?? 'absent'}`);
}
