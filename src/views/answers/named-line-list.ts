/** Lists of aliases and saved targets, with the result of a change. */
import type { Instant } from '../../lib/clock.ts';
import type { StoredLineKind } from '../../store/port/settings-records.ts';
import { context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { timeInZone } from '../kit/timestamps.ts';
import type { NamedLineRow } from '../models/problem-model.ts';

export type NamesView = {
  readonly kind: 'named-lines';
  readonly of: StoredLineKind;
  readonly rows: readonly NamedLineRow[];
  /** How many a person may keep. */
  readonly most: number;
  /** The change that the answer confirms; null for the list alone. */
  readonly done: {
    readonly kind: 'kept' | 'removed';
    readonly name: string;
    readonly shared: boolean;
  } | null;
  readonly root: string;
};

/** `changed`: it was set by this command. */
export type TimezoneView = {
  readonly kind: 'timezone';
  readonly zone: string;
  readonly chosen: boolean;
  readonly changed: boolean;
  readonly asOf: Instant;
};

/** Rows listed; each takes one of the message's blocks. */
const MAX_ROWS = 40;

export const NAMED_LINE_NOUNS: Readonly<
  Record<StoredLineKind, { readonly one: string; readonly many: string }>
> = {
  alias: { one: 'alias', many: 'aliases' },
  saved: { one: 'saved target', many: 'saved targets' },
};

/** The list, below the result of a change where there was one. */
export function renderNamedLines(view: NamesView): RenderedMessage {
  const { rows, done } = view;
  const title = headline(view);
  const left = rows.length - MAX_ROWS;
  return buildMessage({
    text: title,
    body: [
      section(done === null ? md`*${title}*` : title),
      ...rows.slice(0, MAX_ROWS).map(namedLineRow),
      ...(left > 0 ? [context(md`${left} more aren’t shown.`)] : []),
    ],
    footer: [context(usageHint(view))],
  });
}

function headline({ of, rows, done }: NamesView): Mrkdwn {
  const { many } = NAMED_LINE_NOUNS[of];
  if (done === null) {
    return rows.length === 0
      ? md`You have no ${escapeMrkdwn(many)}`
      : md`Your ${escapeMrkdwn(many)} and shared ones`;
  }
  const name = inlineCode(done.name);
  if (of === 'alias') {
    if (done.kind === 'kept') return done.shared ? md`Shared alias ${name} saved.` : md`Alias ${name} saved.`;
    return done.shared ? md`Shared alias ${name} removed.` : md`Alias ${name} removed.`;
  }
  if (done.kind === 'kept') return done.shared ? md`Shared target ${name} saved.` : md`Target ${name} saved.`;
  return done.shared ? md`Shared target ${name} removed.` : md`Target ${name} removed.`;
}

function namedLineRow({ named, remove }: NamedLineRow, at: number): Block {
  const whose = named.owner === null ? md`\nShared by ${mentionPerson(named.by)}` : md``;
  const text = md`${inlineCode(named.name)} = ${inlineCode(named.line, DISPLAY_LIMIT.sentence)}${whose}`;
  // Action ids are numbered, because a personal line and a shared one may have the same name.
  return section(text, remove && runButton({ action: `remove:${at + 1}`, label: 'Remove', ...remove }));
}

function usageHint({ of, most, root }: NamesView): Mrkdwn {
  const limit = md`You can have up to ${most}.`;
  return of === 'alias'
    ? md`An alias replaces the first words of a command: ${inlineCode(`${root} alias lr = devices group:"Linux servers" is:needs-reboot`, DISPLAY_LIMIT.sentence)}, then ${inlineCode(`${root} lr`)}. ${limit}`
    : md`A saved target is a name for filters: ${inlineCode(`${root} save web = group:"Linux servers" is:online`, DISPLAY_LIMIT.sentence)}, then ${inlineCode(`${root} devices in:web`)}. ${limit}`;
}

export function renderTimezone(view: TimezoneView): RenderedMessage {
  const { zone, chosen, changed, asOf } = view;
  const is = changed
    ? md`Your time zone is now ${escapeMrkdwn(zone)}.`
    : md`Your time zone is ${escapeMrkdwn(zone)}.`;
  const from = chosen ? md`` : md` You haven’t set one, so Slack’s is used (UTC if Slack has none).`;
  const text = md`${is}${from} Current time: ${escapeMrkdwn(timeInZone(asOf, zone))}.`;
  const use = md`Times you type are read in this time zone. Messages use your Slack time zone. Exported files use UTC.`;
  return buildMessage({ text, body: [section(text), context(use)] });
}
