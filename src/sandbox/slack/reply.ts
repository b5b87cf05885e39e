/** The answers of the Web API: `ok` and what goes with it. */
import { type Fields, fieldsOf } from './json.ts';
import { type Problem, problemLines } from './validate/problem.ts';

export type Reply = Fields & { readonly ok: boolean };
export type Refusal = Fields & { readonly ok: false; readonly error: string };

export function done(fields: Fields = {}): Reply {
  return { ok: true, ...fields };
}

export function refuse(error: string, fields: Fields = {}): Refusal {
  return { ok: false, error, ...fields };
}

/** The answer with what Slack would like to be done better (docs.slack.dev/apis/web-api). */
export function warn(reply: Reply, warnings: readonly string[], lines: readonly string[] = []): Reply {
  if (warnings.length === 0) return reply;
  const metadata = fieldsOf(reply['response_metadata']);
  const all = [...wordsOf(metadata['warnings']), ...warnings];
  const messages = [...wordsOf(metadata['messages']), ...lines.map((line) => `[WARN] ${line}`)];
  return {
    ...reply,
    warning: all.join(','),
    response_metadata: { ...metadata, warnings: all, ...(messages.length === 0 ? {} : { messages }) },
  };
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
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
