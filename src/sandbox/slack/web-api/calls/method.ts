/** A method of the Web API. */

import type { WorkspaceCore } from '../../core/core.ts';
import type { CallArguments } from './arguments.ts';
import type { ApiError, ApiReply } from './replies.ts';

/** Calls per minute of Slack's rate tiers (docs.slack.dev/apis/web-api/rate-limits). */
export const TIER = { one: 1, two: 20, three: 50, four: 100, special: 600 } as const;

export type WebApiMethod = {
  readonly name: string;
  /** The token that it needs: the bot's, the app's, or none. */
  readonly token: 'bot' | 'app' | 'none';
  /** It needs one of these; an empty list accepts any token. */
  readonly scopes: readonly string[];
  readonly perMinute: number;
  /** Reads no arguments from JSON. */
  readonly formOnly?: true;
  readonly run: (args: CallArguments, core: WorkspaceCore) => ApiReply;
};

/** Either the value, or the error to answer with. */
export type Lookup<T> = { readonly ok: true; readonly value: T } | ApiError;

/** A method that needs the bot's token. */
export function botMethod(
  name: string,
  perMinute: number,
  scopes: readonly string[],
  run: WebApiMethod['run'],
): WebApiMethod {
  return { name, token: 'bot', scopes, perMinute, run };
}

/** The same for one whose page does not offer JSON: Slack drops the arguments there. */
export function formMethod(...parts: Parameters<typeof botMethod>): WebApiMethod {
  return { ...botMethod(...parts), formOnly: true };
}
