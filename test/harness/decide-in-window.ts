/** An approval as people do it: a press opens a window, and its submission decides. In one place for every check. */
import type { Client, SlackViewAnswer } from './client.ts';
import { PATIENCE_MS, until } from './until.ts';

/** Buttons that open a window instead of deciding. */
const OPENS_WINDOW: ReadonlySet<string> = new Set([
  'approve',
  'control:resume',
  'control:continue',
  'control:continue-without',
]);
export const opensWindow = (action: string): boolean => OPENS_WINDOW.has(action);

/** The window that the press opens; null as soon as `isAnswered` says that there is an answer instead. */
export async function openedByPress(
  client: Pick<Client, 'views'>,
  user: string,
  press: () => Promise<unknown>,
  {
    isAnswered = async () => false,
    timeoutMs = PATIENCE_MS,
  }: { readonly isAnswered?: () => Promise<boolean>; readonly timeoutMs?: number } = {},
): Promise<SlackViewAnswer | null> {
  const decisions = async () =>
    (await client.views(user)).modals.filter(({ callback_id: id }) => id === 'decision');
  const before = new Set((await decisions()).map(({ id }) => id));
  await press();
  const opened = await until(
    async () => {
      const window = (await decisions()).find(({ id }) => !before.has(id));
      if (window !== undefined) return { window };
      return (await isAnswered()) ? { window: null } : null;
    },
    { timeoutMs, what: `a window of ${user}, or an answer` },
  );
  return opened.window;
}

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
