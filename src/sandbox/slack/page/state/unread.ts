/** What each person has read in each channel. Messages from before the page was first opened count as read. */
import type { Message, SandboxState, Unread } from '../types.ts';

/** Survives a reload of the page; data of another sandbox is ignored. */
const STORAGE_KEY = 'patchbay-read';

type StoredReadMarks = { start: string | null; read: Record<string, string> };

export function createUnread() {
  let readMarks: StoredReadMarks = { start: null, read: {} };
  let storageKey = '';
  return {
    begin(world: SandboxState, now: number) {
      if (readMarks.start !== null) return;
      storageKey = `${STORAGE_KEY} ${world.slack?.apiUrl ?? ''}`;
      readMarks = stored(storageKey) ?? { start: (now / 1000).toFixed(6), read: {} };
    },
    /** The `ts` of the last message read. */
    readTo: (me: string, channel: string) =>
      readMarks.read[`${me}/${channel}`] ?? readMarks.start ?? '0.000000',
    saw(me: string, channel: string, messages: readonly Message[]) {
      const last = messages.at(-1)?.ts;
      if (last === undefined || readMarks.read[`${me}/${channel}`] === last) return;
      readMarks.read[`${me}/${channel}`] = last;
      sessionStorage.setItem(storageKey, JSON.stringify(readMarks));
    },
  };
}

function stored(storageKey: string): StoredReadMarks | null {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? null : JSON.parse(text);
}

/** How many of these messages are new to that person. Replies count if they mention the person. */
export function countUnread(
  messages: readonly Message[],
  { id, groups, isDirect }: { id: string; groups: readonly string[]; isDirect: boolean },
): Unread {
  const others = messages.filter(({ user }) => user !== id);
  const calls = others.filter((message) => isDirect || mentions(message, [id, ...groups]));
  const isOwnLine = ({ ts, thread_ts }: Message) => typeof thread_ts !== 'string' || thread_ts === ts;
  const counted = others.filter((message) => isOwnLine(message) || calls.includes(message));
  return { count: counted.length, mentions: calls.length };
}

const EVERYBODY = /<!(?:here|channel|everyone)[|>]|"type":"broadcast"/;

function mentions({ text, blocks = [] }: Message, ids: readonly string[]) {
  const all = `${text} ${JSON.stringify(blocks)}`;
  return (
    EVERYBODY.test(all) ||
    ids.some(
      (id) =>
        all.includes(`<@${id}`) ||
        all.includes(`<!subteam^${id}`) ||
        all.includes(`"user_id":"${id}"`) ||
        all.includes(`"usergroup_id":"${id}"`),
    )
  );
}
