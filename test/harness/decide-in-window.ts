/** What changes something, as people do it: a press opens a window, and its submission decides. In one place for every check. */
import type { Client, SlackViewAnswer } from './client.ts';
import { PATIENCE_MS, until } from './until.ts';

/** Buttons that open a window, by the part of their action before its last colon. */
const OPENS_WINDOW: readonly string[] = [
  ...['approve', 'deny', 'control:resume', 'control:continue', 'control:continue-without', 'retry', 'again'],
  ...['scan', 'patch', 'reboot', 'policy-test', 'policy-remediate', 'silence', 'unsubscribe', 'remove'],
  ...['resume', 'accept', 'pick'],
];
export const opensWindow = (action: string): boolean =>
  OPENS_WINDOW.some((name) => action === name || action.replace(/:[^:]*$/, '') === name);

/** The window that the press opens, once it says something; null as soon as `isAnswered` says that there is an answer instead. */
export async function openedByPress(
  client: Pick<Client, 'views'>,
  user: string,
  press: () => Promise<unknown>,
  {
    isAnswered = async () => false,
    timeoutMs = PATIENCE_MS,
  }: { readonly isAnswered?: () => Promise<boolean>; readonly timeoutMs?: number } = {},
): Promise<SlackViewAnswer | null> {
  const windows = async () => (await client.views(user)).modals;
  const before = new Set((await windows()).map(({ id }) => id));
  await press();
  const opened = await until(
    async () => {
      const window = (await windows()).find(({ id, blocks }) => !before.has(id) && !isLooking(blocks));
      if (window !== undefined) return { window };
      return (await isAnswered()) ? { window: null } : null;
    },
    { timeoutMs, what: `a window of ${user}, or an answer` },
  );
  return opened.window;
}

const isLooking = (blocks: readonly unknown[]): boolean => JSON.stringify(blocks).includes('"Looking…');
/** Whether the window that this action opened only has to be submitted; else it says why not, or is a form to fill in. */
export const isToSubmit = (
  { callback_id: id, private_metadata: metadata }: SlackViewAnswer,
  action: string,
): boolean =>
  id === 'decision' ||
  (id === 'form' && (/^(again|retry)/.test(action) || /"pressed":true|"drawnFor":\d/.test(String(metadata))));

/**
 * Submits it with the number that it asks for, as it stands in its heading or, of an edit, in what it applies to; without
 * one it is about one.
 */
export function submitDecision(client: Pick<Client, 'submit'>, user: string, window: SlackViewAnswer) {
  const words = JSON.stringify(window.blocks);
  const reached = /Applies as soon as [^*]* (\d+) devices|moved to the Default Group \((\d+)\)/.exec(words);
  // Not what the requester asked for in the hour up to it.
  const heading = /(?<!changes of )\b(\d+) devices/.exec(JSON.stringify(window.blocks[0]));
  const count = (reached ?? heading)?.slice(1).find((digits) => digits !== undefined) ?? '1';
  const values = words.includes('"approve_count"') ? { approve_count: { approve_count: count } } : {};
  return client.submit({ user, view_id: window.id, values });
}
