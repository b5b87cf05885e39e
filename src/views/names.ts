/** Aliases and saved targets: the list, and what was done to one. */
import type { NamedKind } from '../store/settings-records.ts';
import { context, section } from './kit/blocks.ts';
import { code, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import type { Block, RenderedMessage } from './model.ts';
import type { NameRow, SettingView } from './models/settings-model.ts';

type NamesView = Extract<SettingView, { kind: 'names' }>;

/** Rows drawn: each is a block. */
const MOST_ROWS = 40;

/** `one` as the object of a sentence. */
export const NAMED_WORDS: Readonly<Record<NamedKind, { readonly one: string; readonly many: string }>> = {
  alias: { one: 'alias', many: 'aliases' },
  saved: { one: 'saved target', many: 'saved targets' },
};

export function renderNames(view: NamesView): RenderedMessage {
  const { rows, done } = view;
  const title = headline(view);
  const left = rows.length - MOST_ROWS;
  return message({
    text: title,
    body: [
      section(done === null ? md`*${title}*` : title),
      ...rows.slice(0, MOST_ROWS).map(row),
      ...(left > 0 ? [context(md`${left} more aren’t shown.`)] : []),
    ],
    end: [context(hint(view))],
  });
}

function headline({ of, rows, done }: NamesView): Mrkdwn {
  const { many } = NAMED_WORDS[of];
  if (done === null) {
    return rows.length === 0 ? md`You have no ${literal(many)}` : md`Your ${literal(many)} and shared ones`;
  }
  const name = code(done.name);
  if (of === 'alias') {
    if (done.kind === 'kept') return done.shared ? md`Shared alias ${name} saved.` : md`Alias ${name} saved.`;
    return done.shared ? md`Shared alias ${name} removed.` : md`Alias ${name} removed.`;
  }
  if (done.kind === 'kept') return done.shared ? md`Shared target ${name} saved.` : md`Target ${name} saved.`;
  return done.shared ? md`Shared target ${name} removed.` : md`Target ${name} removed.`;
}

function row({ named, remove }: NameRow, at: number): Block {
  const whose = named.owner === null ? md`\nShared by ${person(named.by)}` : md``;
  const text = md`${code(named.name)} = ${code(named.line, SHOWN.sentence)}${whose}`;
  return section(text, removeButton(remove, at));
}

/** Numbered, because one's own and everybody's may have the same name. */
function removeButton(remove: NameRow['remove'], at: number) {
  return remove === null ? null : runButton({ action: `remove:${at + 1}`, label: 'Remove', ...remove });
}

function hint({ of, most, root }: NamesView): Mrkdwn {
  const limit = md`You can have up to ${most}.`;
  return of === 'alias'
    ? md`An alias replaces the first words of a command: ${code(`${root} alias lr = devices group:"Linux servers" is:needs-reboot`, SHOWN.sentence)}, then ${code(`${root} lr`)}. ${limit}`
    : md`A saved target is a name for filters: ${code(`${root} save web = group:"Linux servers" is:online`, SHOWN.sentence)}, then ${code(`${root} devices in:web`)}. ${limit}`;
}
