/** The answers of the Web API: `ok` and what goes with it. */
import type { Fields } from './json.ts';
import { problemLines } from './validate/payload.ts';
import type { Problem } from './validate/rule.ts';

export type Reply = Fields & { readonly ok: boolean };
export type Refusal = Fields & { readonly ok: false; readonly error: string };

export function done(fields: Fields = {}): Reply {
  return { ok: true, ...fields };
}

export function refuse(error: string, fields: Fields = {}): Refusal {
  return { ok: false, error, ...fields };
}

/** A refusal that says where the faults are, as Slack does for blocks and views. */
export function refuseProblems(error: string, problems: readonly Problem[]): Refusal {
  const lines = problemLines(problems);
  return refuse(error, {
    errors: lines,
    response_metadata: { messages: lines.map((line) => `[ERROR] ${line}`) },
  });
}

export function missingArgument(name: string): Refusal {
  return refuse('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
  });
}
